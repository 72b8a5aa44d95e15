// The oracle: it answers with the code of the controllers. Each line that it reads is a vector as in
// tests/conformance, without its answer; each line that it writes is that answer.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/envsubst"
	fluxcel "github.com/fluxcd/pkg/runtime/cel"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/util/jsonpath"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

type vector struct {
	Mode         string            `json:"mode"`
	Dialect      string            `json:"dialect"`
	Expr         string            `json:"expr"`
	Exprs        map[string]string `json:"exprs"`
	Object       json.RawMessage   `json:"object"`
	AllowMissing bool              `json:"allowMissing"`
}

type want struct {
	OK        bool   `json:"ok"`
	Error     string `json:"error,omitempty"`
	Result    any    `json:"result,omitempty"`
	Message   any    `json:"message,omitempty"`
	Unordered bool   `json:"unordered,omitempty"`
}

func failed(err error) want { return want{Error: err.Error()} }

func asked(v vector) (answer want) {
	defer func() {
		if problem := recover(); problem != nil {
			answer = want{Error: fmt.Sprintf("panic: %v", problem)}
		}
	}()
	var object map[string]any
	if len(v.Object) > 0 {
		// Decoded as by the API machinery: whole numbers stay int64.
		if err := kjson.UnmarshalCaseSensitivePreserveInts(v.Object, &object); err != nil {
			return want{Error: "oracle: " + err.Error()}
		}
	}
	switch v.Mode {
	case "parse":
		return expression(v.Expr, nil)
	case "eval":
		return expression(v.Expr, object)
	case "compile":
		return expression(v.Expr, nil, typed()...)
	case "gate":
		return gate(v.Dialect, v.Expr)
	case "evalready":
		return expression(v.Expr, object, typed()...)
	case "health":
		return health(v.Exprs, object)
	case "kstatus":
		result, err := status.Compute(&unstructured.Unstructured{Object: object})
		if err != nil {
			return failed(err)
		}
		return want{OK: true, Result: result.Status.String(), Message: result.Message}
	case "jsonpath":
		return path(v.Expr, object, v.AllowMissing)
	case "yaml":
		document, err := yaml.YAMLToJSON([]byte(v.Expr))
		if err != nil {
			return failed(err)
		}
		return want{OK: true, Result: json.RawMessage(document)}
	case "substitution":
		return substituted(v.Expr, object)
	}
	return want{Error: "oracle: unknown mode " + v.Mode}
}

// typed compiles a readyExpr as kustomize-controller does.
func typed() []fluxcel.Option {
	return []fluxcel.Option{
		fluxcel.WithCompile(),
		fluxcel.WithOutputType(cel.BoolType),
		fluxcel.WithStructVariables("self", "dep"),
	}
}

// gates are the environments of other systems, as their code makes them, but for libraries of Kubernetes
// and of their own.
var gates = map[string][]cel.EnvOption{
	"crossplane-auto-ready": {cel.Variable("object", cel.AnyType)},
	"kuttl-assertion":       {cel.Variable("web", cel.DynType)},
	"sveltos-rule":          {cel.Variable("resource", cel.DynType)},
	"kro-ready": {
		ext.TwoVarComprehensions(), ext.Lists(), ext.Strings(), ext.Bindings(), cel.OptionalTypes(),
		ext.Encoders(), cel.Variable("web", cel.DynType),
	},
}

// gate compiles an expression and makes a program of it; function-auto-ready wants exactly `bool`.
func gate(dialect, text string) want {
	environment, err := cel.NewEnv(gates[dialect]...)
	if err != nil {
		return failed(err)
	}
	compiled, issues := environment.Compile(text)
	if issues.Err() != nil {
		return failed(issues.Err())
	}
	if dialect == "crossplane-auto-ready" && !compiled.OutputType().IsExactType(cel.BoolType) {
		return want{Error: "the result is no bool"}
	}
	if _, err := environment.Program(compiled); err != nil {
		return failed(err)
	}
	return want{OK: true}
}

func expression(text string, object map[string]any, options ...fluxcel.Option) want {
	parsed, err := fluxcel.NewExpression(text, options...)
	if err != nil || object == nil {
		if err != nil {
			return failed(err)
		}
		return want{OK: true}
	}
	result, err := parsed.EvaluateBoolean(context.Background(), object)
	if err != nil {
		return failed(err)
	}
	return want{OK: true, Result: result}
}

func health(texts map[string]string, object map[string]any) want {
	evaluator, err := fluxcel.NewStatusEvaluator(&kustomize.HealthCheckExpressions{
		Current:    texts["current"],
		InProgress: texts["inProgress"],
		Failed:     texts["failed"],
	})
	if err != nil {
		return failed(err)
	}
	result, err := evaluator.Evaluate(context.Background(), &unstructured.Unstructured{Object: object})
	if err != nil {
		return failed(err)
	}
	return want{OK: true, Result: result.Status.String()}
}

// substituted replaces the variables in a text as Flux does; those without a value become empty.
func substituted(text string, values map[string]any) want {
	result, err := envsubst.Eval(text, func(name string) (string, bool) {
		value, _ := values[name].(string)
		return value, true
	})
	if err != nil {
		return failed(err)
	}
	return want{OK: true, Result: result}
}

// path evaluates several times, because client-go walks a map in Go's random order.
func path(text string, object map[string]any, allowMissing bool) want {
	first, err := found(text, object, allowMissing)
	if err != nil {
		return failed(err)
	}
	answer := want{OK: true, Result: first}
	for range 8 {
		again, err := found(text, object, allowMissing)
		if err != nil || !reflect.DeepEqual(first, again) {
			answer.Unordered = true
		}
	}
	return answer
}

var errNoInterface = errors.New("oracle: a result that is no value")

func found(text string, object map[string]any, allowMissing bool) ([][]any, error) {
	parser := jsonpath.New("fuzz").AllowMissingKeys(allowMissing)
	if err := parser.Parse(text); err != nil {
		return nil, err
	}
	groups, err := parser.FindResults(object)
	if err != nil {
		return nil, err
	}
	results := [][]any{}
	for _, group := range groups {
		row := []any{}
		for _, value := range group {
			if !value.CanInterface() {
				return nil, errNoInterface
			}
			row = append(row, value.Interface())
		}
		results = append(results, row)
	}
	return results, nil
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	var answers bytes.Buffer
	encoder := json.NewEncoder(&answers)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var v vector
		answer := want{Error: "oracle: bad request"}
		if json.Unmarshal(lines.Bytes(), &v) == nil {
			answer = asked(v)
		}
		answers.Reset()
		if err := encoder.Encode(answer); err != nil {
			answers.Reset()
			_ = encoder.Encode(want{Error: "oracle: " + err.Error()})
		}
		if _, err := os.Stdout.Write(answers.Bytes()); err != nil {
			os.Exit(1)
		}
	}
}
