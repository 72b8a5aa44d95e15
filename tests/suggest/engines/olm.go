//go:build boxcutter

package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"celvet.dev/engines/probing"
)

type assertion struct {
	Type           string `json:"type"`
	ConditionEqual struct{ Type, Status string }
	FieldsEqual    struct{ FieldA, FieldB string }
	FieldValue     struct{ FieldPath, Value string }
}

func init() { engines["olm"] = byProbes }

// byProbes builds the prober as operator-controller does: all assertions of the kind must hold, on
// the generation that the object shows (ObservedGeneration around the selector).
func byProbes(r row, object any) (string, error) {
	var assertions []assertion
	data, err := json.Marshal(r.Expressions["current"])
	if err != nil {
		return "", err
	}
	if err := json.Unmarshal(data, &assertions); err != nil {
		return "", err
	}
	all := probing.And{}
	for _, a := range assertions {
		switch a.Type {
		case "ConditionEqual":
			all = append(all, &probing.ConditionProbe{Type: a.ConditionEqual.Type, Status: a.ConditionEqual.Status})
		case "FieldsEqual":
			all = append(all, &probing.FieldsEqualProbe{FieldA: a.FieldsEqual.FieldA, FieldB: a.FieldsEqual.FieldB})
		case "FieldValue":
			all = append(all, &probing.FieldValueProbe{FieldPath: a.FieldValue.FieldPath, Value: a.FieldValue.Value})
		default:
			return "", fmt.Errorf("assertion %q", a.Type)
		}
	}
	kind, group, _ := strings.Cut(r.Kind, ".")
	prober := &probing.ObservedGenerationProbe{Prober: &probing.GroupKindSelector{
		GroupKind: schema.GroupKind{Group: group, Kind: kind}, Prober: all,
	}}
	result := prober.Probe(&unstructured.Unstructured{Object: object.(map[string]any)})
	if string(result.Status) == "True" {
		return "Current", nil
	}
	return "InProgress", nil
}
