// Sends AdmissionReviews (one a line in a file) over a few TLS connections for a while, and
// prints as JSON: requests a second, the 50th and 99th percentile in milliseconds, failures.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	url := flag.String("url", "", "where to send them")
	ca := flag.String("ca", "", "authority to trust, PEM")
	file := flag.String("reviews", "", "file of reviews")
	clients := flag.Int("clients", 8, "connections")
	skip := flag.Int64("skip", 0, "reviews to leave out at the start")
	duration := flag.Duration("for", 5*time.Second, "how long")
	flag.Parse()

	authorities, err := os.ReadFile(*ca)
	reviews, err2 := os.ReadFile(*file)
	if err != nil || err2 != nil {
		panic(fmt.Sprint(err, err2))
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authorities)
	lines := bytes.Split(bytes.TrimSpace(reviews), []byte("\n"))

	var next, failures atomic.Int64
	next.Store(*skip)
	var mutex sync.Mutex
	var times []time.Duration
	var group sync.WaitGroup
	begun := time.Now()
	for range *clients {
		group.Go(func() {
			client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
			var own []time.Duration
			for time.Since(begun) < *duration {
				line := lines[int(next.Add(1))%len(lines)]
				sent := time.Now()
				answer, err := client.Post(*url, "application/json", bytes.NewReader(line))
				if err != nil {
					failures.Add(1)
					continue
				}
				content, _ := io.ReadAll(answer.Body)
				answer.Body.Close()
				if answer.StatusCode != 200 || !bytes.Contains(content, []byte(`"allowed":`)) {
					failures.Add(1)
				}
				own = append(own, time.Since(sent))
			}
			mutex.Lock()
			times = append(times, own...)
			mutex.Unlock()
		})
	}
	group.Wait()
	elapsed := time.Since(begun)
	slices.Sort(times)
	at := func(share float64) float64 {
		return float64(times[int(share*float64(len(times)-1))].Microseconds()) / 1000
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"rate": float64(len(times)) / elapsed.Seconds(), "p50": at(0.5), "p99": at(0.99),
		"failures": failures.Load(),
	})
}
