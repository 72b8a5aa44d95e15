// The oracle: it answers with the code of the controllers. Each line that it reads is a vector as in
// tests/conformance, without its answer; each line that it writes is that answer.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"

	"celvet.test/oracle/flux"
	"github.com/fluxcd/pkg/envsubst"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"k8s.io/client-go/util/jsonpath"
)

func other(v flux.Vector, object map[string]any) flux.Want {
	switch v.Mode {
	case "gate":
		return gate(v.Dialect, v.Expr)
	case "jsonpath":
		return path(v.Expr, object, v.AllowMissing)
	case "substitution":
		return substituted(v.Expr, object)
	}
	return flux.Want{Error: "oracle: unknown mode " + v.Mode}
}

// gates are the environments of other systems, as their code makes them, but for libraries of Kubernetes
// and of their own.
var gates = map[string][]cel.EnvOption{
	"crossplane-auto-ready": {cel.Variable("object", cel.AnyType)},
	"kuttl-assertion":       {cel.Variable("web", cel.DynType)},
	"ocm-condition":         {cel.OptionalTypes(), ext.Strings(), cel.Variable("object", cel.DynType)},
	"package-operator-probe": {
		cel.Variable("self", cel.DynType), cel.HomogeneousAggregateLiterals(), cel.EagerlyValidateDeclarations(true),
		cel.DefaultUTCTimeZone(true), ext.Strings(ext.StringsVersion(0)),
	},
	"sveltos-rule": {cel.Variable("resource", cel.DynType)},
	"kro-ready": {
		ext.TwoVarComprehensions(), ext.Lists(), ext.Strings(), ext.Bindings(), cel.OptionalTypes(),
		ext.Encoders(), cel.Variable("web", cel.DynType),
	},
}

// refusesType has the test of the result where a system refuses any other type than exactly `bool`, `dyn` too.
// Package Operator compares pointers, so that a BoolValue is another type.
var refusesType = map[string]func(*cel.Type) bool{
	"crossplane-auto-ready":  func(result *cel.Type) bool { return !result.IsExactType(cel.BoolType) },
	"package-operator-probe": func(result *cel.Type) bool { return result != cel.BoolType },
}

// gate compiles an expression and makes a program of it.
func gate(dialect, text string) flux.Want {
	environment, err := cel.NewEnv(gates[dialect]...)
	if err != nil {
		return flux.Failed(err)
	}
	compiled, issues := environment.Compile(text)
	if issues.Err() != nil {
		return flux.Failed(issues.Err())
	}
	if refuses := refusesType[dialect]; refuses != nil && refuses(compiled.OutputType()) {
		return flux.Want{Error: "the result is no bool"}
	}
	if _, err := environment.Program(compiled); err != nil {
		return flux.Failed(err)
	}
	return flux.Want{OK: true}
}

// substituted replaces the variables in a text as Flux does; those without a value become empty.
func substituted(text string, values map[string]any) flux.Want {
	result, err := envsubst.Eval(text, func(name string) (string, bool) {
		value, _ := values[name].(string)
		return value, true
	})
	if err != nil {
		return flux.Failed(err)
	}
	return flux.Want{OK: true, Result: result}
}

// path evaluates several times, because client-go walks a map in Go's random order.
func path(text string, object map[string]any, allowMissing bool) flux.Want {
	first, err := found(text, object, allowMissing)
	if err != nil {
		return flux.Failed(err)
	}
	answer := flux.Want{OK: true, Result: first}
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
		var v flux.Vector
		answer := flux.Want{Error: "oracle: bad request"}
		if json.Unmarshal(lines.Bytes(), &v) == nil {
			answer = flux.Asked(v, other)
		}
		answers.Reset()
		if err := encoder.Encode(answer); err != nil {
			answers.Reset()
			_ = encoder.Encode(flux.Want{Error: "oracle: " + err.Error()})
		}
		if _, err := os.Stdout.Write(answers.Bytes()); err != nil {
			os.Exit(1)
		}
	}
}
