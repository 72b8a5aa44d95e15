// The webhook that one would write in Go on Flux's own CEL package: it compiles each
// expression of a Kustomization as kustomize-controller does, and nothing more.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"

	"github.com/fluxcd/pkg/runtime/cel"
)

type review struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Request    *request  `json:"request,omitempty"`
	Response   *response `json:"response,omitempty"`
}

type request struct {
	UID       string `json:"uid"`
	Operation string `json:"operation"`
	Object    struct {
		Kind string `json:"kind"`
		Spec struct {
			HealthCheckExprs []map[string]string `json:"healthCheckExprs"`
			DependsOn        []struct {
				ReadyExpr string `json:"readyExpr"`
			} `json:"dependsOn"`
		} `json:"spec"`
	} `json:"object"`
}

type response struct {
	UID     string  `json:"uid"`
	Allowed bool    `json:"allowed"`
	Status  *status `json:"status,omitempty"`
}

type status struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func faults(r *request) []string {
	var found []string
	for i, entry := range r.Object.Spec.HealthCheckExprs {
		for _, role := range []string{"inProgress", "failed", "current"} {
			if text := entry[role]; text != "" {
				if _, err := cel.NewExpression(text); err != nil {
					found = append(found, fmt.Sprintf("spec.healthCheckExprs[%d].%s: %v", i, role, err))
				}
			}
		}
	}
	for i, dependency := range r.Object.Spec.DependsOn {
		if text := dependency.ReadyExpr; text != "" {
			if _, err := cel.NewExpression(text, cel.WithCompile(), cel.WithStructVariables("self", "dep")); err != nil {
				found = append(found, fmt.Sprintf("spec.dependsOn[%d].readyExpr: %v", i, err))
			}
		}
	}
	return found
}

func validate(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 7<<20))
	var in review
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	if err != nil || in.Request == nil {
		http.Error(w, "no AdmissionReview", http.StatusBadRequest)
		return
	}
	out := &response{UID: in.Request.UID, Allowed: true}
	if found := faults(in.Request); len(found) > 0 {
		out.Allowed = false
		out.Status = &status{Code: 422, Message: strings.Join(found, "; ")}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review{APIVersion: in.APIVersion, Kind: in.Kind, Response: out})
}

func main() {
	address := flag.String("address", "127.0.0.1:9444", "where to listen")
	certificate := flag.String("cert", "", "certificate, PEM")
	key := flag.String("key", "", "its key, PEM")
	flag.Parse()
	http.HandleFunc("/validate", validate)
	log.Fatal(http.ListenAndServeTLS(*address, *certificate, *key, nil))
}
