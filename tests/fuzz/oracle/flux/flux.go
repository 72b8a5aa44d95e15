// Package flux answers vectors, as in tests/conformance, with the code of Flux.
package flux

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/apis/kustomize"
	fluxcel "github.com/fluxcd/pkg/runtime/cel"
	"github.com/google/cel-go/cel"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// Vector is what is asked.
type Vector struct {
	Mode         string            `json:"mode"`
	Dialect      string            `json:"dialect"`
	Expr         string            `json:"expr"`
	Exprs        map[string]string `json:"exprs"`
	Object       json.RawMessage   `json:"object"`
	AllowMissing bool              `json:"allowMissing"`
}

// Want is the answer.
type Want struct {
	OK        bool   `json:"ok"`
	Error     string `json:"error,omitempty"`
	Result    any    `json:"result,omitempty"`
	Message   any    `json:"message,omitempty"`
	Unordered bool   `json:"unordered,omitempty"`
}

// Failed is the answer that is an error.
func Failed(err error) Want { return Want{Error: err.Error()} }

// Asked is the answer to a vector; modes that Flux's code does not answer are for others.
func Asked(v Vector, others func(v Vector, object map[string]any) Want) (answer Want) {
	defer func() {
		if problem := recover(); problem != nil {
			answer = Want{Error: fmt.Sprintf("panic: %v", problem)}
		}
	}()
	var object map[string]any
	if len(v.Object) > 0 {
		// Decoded as by the API machinery: whole numbers stay int64.
		if err := kjson.UnmarshalCaseSensitivePreserveInts(v.Object, &object); err != nil {
			return Want{Error: "oracle: " + err.Error()}
		}
	}
	switch v.Mode {
	case "parse":
		return expression(v.Expr, nil)
	case "eval":
		return expression(v.Expr, object)
	case "compile":
		return expression(v.Expr, nil, typed()...)
	case "evalready":
		return expression(v.Expr, object, typed()...)
	case "health":
		return health(v.Exprs, object)
	case "kstatus":
		result, err := status.Compute(&unstructured.Unstructured{Object: object})
		if err != nil {
			return Failed(err)
		}
		return Want{OK: true, Result: result.Status.String(), Message: result.Message}
	case "yaml":
		document, err := yaml.YAMLToJSON([]byte(v.Expr))
		if err != nil {
			return Failed(err)
		}
		return Want{OK: true, Result: json.RawMessage(document)}
	}
	return others(v, object)
}

// typed compiles a readyExpr as kustomize-controller does.
func typed() []fluxcel.Option {
	return []fluxcel.Option{
		fluxcel.WithCompile(),
		fluxcel.WithOutputType(cel.BoolType),
		fluxcel.WithStructVariables("self", "dep"),
	}
}

func expression(text string, object map[string]any, options ...fluxcel.Option) Want {
	parsed, err := fluxcel.NewExpression(text, options...)
	if err != nil || object == nil {
		if err != nil {
			return Failed(err)
		}
		return Want{OK: true}
	}
	result, err := parsed.EvaluateBoolean(context.Background(), object)
	if err != nil {
		return Failed(err)
	}
	return Want{OK: true, Result: result}
}

func health(texts map[string]string, object map[string]any) Want {
	evaluator, err := fluxcel.NewStatusEvaluator(&kustomize.HealthCheckExpressions{
		Current:    texts["current"],
		InProgress: texts["inProgress"],
		Failed:     texts["failed"],
	})
	if err != nil {
		return Failed(err)
	}
	result, err := evaluator.Evaluate(context.Background(), &unstructured.Unstructured{Object: object})
	if err != nil {
		return Failed(err)
	}
	return Want{OK: true, Result: result.Status.String()}
}
