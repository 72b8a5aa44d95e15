//go:build js

// The engine of the static playground: Flux's own code, as a function of the page.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"syscall/js"

	"celvet.test/oracle/flux"
	"github.com/fluxcd/pkg/apis/kustomize"
	fluxcel "github.com/fluxcd/pkg/runtime/cel"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/parser"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const mostParts = 200

func other(v flux.Vector, object map[string]any) flux.Want {
	switch v.Mode {
	case "entry":
		return entry(v.Exprs, object["objects"])
	case "trace":
		return trace(v)
	case "document":
		text, err := yaml.Marshal(object)
		if err != nil {
			return flux.Failed(err)
		}
		return flux.Want{OK: true, Result: string(text)}
	}
	return flux.Want{Error: "unknown mode " + v.Mode}
}

// entry is what Flux makes of each object by the expressions; they are compiled once, as in a wait.
func entry(texts map[string]string, objects any) flux.Want {
	evaluator, err := fluxcel.NewStatusEvaluator(&kustomize.HealthCheckExpressions{
		Current: texts["current"], InProgress: texts["inProgress"], Failed: texts["failed"],
	})
	if err != nil {
		return flux.Failed(err)
	}
	answers := []flux.Want{}
	list, _ := objects.([]any)
	for _, each := range list {
		object, _ := each.(map[string]any)
		result, err := evaluator.Evaluate(context.Background(), &unstructured.Unstructured{Object: object})
		if err != nil {
			answers = append(answers, flux.Failed(err))
		} else {
			answers = append(answers, flux.Want{OK: true, Result: result.Status.String()})
		}
	}
	return flux.Want{OK: true, Result: answers}
}

// trace has a line for each condition in an expression, below the one that it is part of. What is
// inside of a loop has no value of its own.
func trace(v flux.Vector) flux.Want {
	environment, err := cel.NewEnv(cel.OptionalTypes(), cel.EnableMacroCallTracking())
	if err != nil {
		return flux.Failed(err)
	}
	parsed, issues := environment.Parse(v.Expr)
	if issues.Err() != nil {
		return flux.Failed(issues.Err())
	}
	tree := parsed.NativeRep()
	var lines []string
	var add func(part ast.Expr, depth int)
	add = func(part ast.Expr, depth int) {
		if len(lines) == mostParts {
			return
		}
		text, err := parser.Unparse(part, tree.SourceInfo())
		if err != nil {
			return
		}
		value := flux.Asked(flux.Vector{Mode: "eval", Expr: text, Object: v.Object}, other)
		if value.OK {
			lines = append(lines, fmt.Sprintf("%s%s  =  %v", strings.Repeat("  ", depth), text, value.Result))
		} else if !strings.Contains(value.Error, "as boolean") {
			_, problem, _ := strings.Cut(value.Error, "': ")
			lines = append(lines, fmt.Sprintf("%s%s  =  %s", strings.Repeat("  ", depth), text, problem))
		} else {
			return
		}
		if part.Kind() == ast.CallKind {
			for _, argument := range part.AsCall().Args() {
				add(argument, depth+1)
			}
		}
	}
	add(tree.Expr(), 0)
	return flux.Want{OK: true, Result: strings.Join(lines, "\n")}
}

func main() {
	js.Global().Set("flux", js.FuncOf(func(_ js.Value, texts []js.Value) any {
		var v flux.Vector
		answer := flux.Want{Error: "no vector"}
		if json.Unmarshal([]byte(texts[0].String()), &v) == nil {
			answer = flux.Asked(v, other)
		}
		text, err := json.Marshal(answer)
		if err != nil {
			text, _ = json.Marshal(flux.Failed(err))
		}
		return string(text)
	}))
	select {}
}
