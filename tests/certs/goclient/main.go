// Verifies a serving certificate as the API server's webhook client does: crypto/x509
// with the caBundle as the only roots, the Service's name as server name, and, with an
// address, a real handshake that offers HTTP/2 first.
//
//	main CA_FILE LEAF_FILE NAME...      every name is verified
//	main CA_FILE -dial ADDRESS NAME     a handshake
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ok")
}

func run(caFile, what string, names []string) error {
	bundle, err := os.ReadFile(caFile)
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(bundle) {
		return fmt.Errorf("no authority in the bundle")
	}
	if what == "-dial" {
		return dial(roots, names[0], names[1])
	}
	text, err := os.ReadFile(what)
	if err != nil {
		return err
	}
	block, _ := pem.Decode(text)
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return err
	}
	for _, name := range names {
		_, err := leaf.Verify(x509.VerifyOptions{
			Roots:     roots,
			DNSName:   name,
			KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func dial(roots *x509.CertPool, address, name string) error {
	connection, err := tls.Dial("tcp", address, &tls.Config{
		RootCAs:    roots,
		ServerName: name,
		NextProtos: []string{"h2", "http/1.1"},
	})
	if err != nil {
		return err
	}
	return connection.Close()
}
