// engines runs the snippets that `python -m tests.suggest.snippets FILE` writes by the engines that
// their systems have: cel-go, gopher-lua, CUE, the tests of `kubectl wait`, boxcutter's probes; and it answers for
// the waiters Helm and Argo CD. build.sh builds it. Usage: engines [HEALTHCHECK.CUE] < FILE, and engines vectors < FILE to answer vectors.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/cuecontext"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	lua "github.com/yuin/gopher-lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"celvet.dev/engines/wait"
)

type state struct {
	State   string         `json:"state"`
	Verdict string         `json:"verdict"`
	Object  map[string]any `json:"object"`
}

type row struct {
	Dialect     string            `json:"dialect"`
	Kind        string            `json:"kind"`
	Text        string            `json:"text"`
	Variable    string            `json:"variable"`
	Expressions map[string]any    `json:"expressions"`
	Differs     map[string]string `json:"differs"`
	States      []state           `json:"states"`
}

// numbers makes whole numbers integers, as the decoder of Kubernetes does.
func numbers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key := range v {
			v[key] = numbers(v[key])
		}
	case []any:
		for index := range v {
			v[index] = numbers(v[index])
		}
	case json.Number:
		if whole, err := v.Int64(); err == nil {
			return whole
		}
		float, _ := v.Float64()
		return float
	}
	return value
}

// environments has what each system adds to plain CEL; the engine of kro and that of Open Cluster
// Management have more than the two libraries here.
var environments = map[string][]cel.EnvOption{
	"kro": {ext.Strings(), cel.OptionalTypes()},
	"ocm": {ext.Strings(ext.StringsVersion(2)), cel.OptionalTypes()},
}

// holds says whether an expression is true. An error about the object is not, in each of the
// systems; one about the text is an error.
func holds(r row, text string, object any) (bool, error) {
	variable := cel.Variable(r.Variable, cel.DynType)
	if r.Dialect == "auto-ready" {
		variable = cel.Variable(r.Variable, cel.AnyType)
	}
	env, err := cel.NewEnv(append([]cel.EnvOption{variable}, environments[r.Dialect]...)...)
	if err != nil {
		return false, err
	}
	ast, issues := env.Compile(text)
	if issues.Err() != nil {
		return false, issues.Err()
	}
	if ast.OutputType() != cel.BoolType {
		return false, fmt.Errorf("the result is %s", ast.OutputType())
	}
	program, err := env.Program(ast)
	if err != nil {
		return false, err
	}
	value, _, err := program.Eval(map[string]any{r.Variable: object})
	return err == nil && value.Value() == true, nil
}

// byWait asks kubectl, alone or in the hook of a chart.
func byWait(r row, object any) (string, error) {
	text, _ := r.Expressions["current"].(string)
	met, refused, failed := wait.Met(text, &unstructured.Unstructured{Object: object.(map[string]any)})
	switch {
	case refused != nil:
		return "", refused
	case errors.Is(failed, wait.ErrState) && strings.EqualFold(text, "create"): // the object is there
		return "Current", nil
	case failed != nil:
		return "Failed", nil
	case met:
		return "Current", nil
	}
	return "InProgress", nil
}

func byCEL(r row, object any) (string, error) {
	for _, role := range []struct{ name, verdict string }{{"failed", "Failed"}, {"current", "Current"}} {
		text, ok := r.Expressions[role.name].(string)
		if !ok {
			continue
		}
		text = strings.TrimSuffix(strings.TrimPrefix(text, "${"), "}")
		is, err := holds(r, text, object)
		if err != nil {
			return "", err
		}
		if is {
			return role.verdict, nil
		}
	}
	return "InProgress", nil
}

func luaValue(L *lua.LState, value any) lua.LValue {
	switch v := value.(type) {
	case map[string]any:
		table := L.NewTable()
		for key, part := range v {
			table.RawSetString(key, luaValue(L, part))
		}
		return table
	case []any:
		table := L.NewTable()
		for _, part := range v {
			table.Append(luaValue(L, part))
		}
		return table
	case string:
		return lua.LString(v)
	case bool:
		return lua.LBool(v)
	case int64:
		return lua.LNumber(v)
	case float64:
		return lua.LNumber(v)
	}
	return lua.LNil
}

// byLua runs a script as Argo CD does.
func byLua(r row, object any) (string, error) {
	status, _, err := scriptHealth(r.Expressions["health"].(string), r.Expressions["useOpenLibs"] == "true", object.(map[string]any))
	if err != nil {
		return "", err
	}
	verdict, ok := map[string]string{"Healthy": "Current", "Degraded": "Failed", "Progressing": "InProgress"}[status]
	if !ok {
		return "", fmt.Errorf("status %s", status)
	}
	return verdict, nil
}

var healthChecks string

// byCUE does what Timoni does (internal/engine/healthcheck.go).
func byCUE(r row, object any) (string, error) {
	text := strings.ReplaceAll(r.Expressions["check"].(string), "timoniv1.", "")
	value := cuecontext.New().CompileString(healthChecks + "\ncheck: " + text)
	if err := value.Err(); err != nil {
		return "", err
	}
	check := value.LookupPath(cue.ParsePath("check"))
	if err := check.Validate(cue.Final()); err != nil {
		return "", err
	}
	filled := check.FillPath(cue.MakePath(cue.Def("#object")), object)
	if err := filled.Err(); err != nil {
		return "", err
	}
	for _, role := range []struct{ name, verdict string }{{"inProgress", "InProgress"}, {"failed", "Failed"}, {"current", "Current"}} {
		v := filled.LookupPath(cue.ParsePath(role.name))
		if !v.Exists() {
			continue
		}
		is, err := v.Bool()
		if err != nil {
			if !v.IsConcrete() && v.Validate() == nil {
				continue
			}
			return "", err
		}
		if is {
			return role.verdict, nil
		}
	}
	return "InProgress", nil
}

var engines = map[string]func(row, any) (string, error){
	"argocd": byLua, "kro": byCEL, "auto-ready": byCEL, "ocm": byCEL, "sveltos": byCEL, "timoni": byCUE,
	"kubectl": byWait, "helm": byWait,
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "vectors" {
		answerVectors()
		return
	}
	if len(os.Args) > 1 { // healthcheck.cue of a checkout of Timoni
		data, err := os.ReadFile(os.Args[1])
		if err != nil {
			panic(err)
		}
		healthChecks = string(data)
	}
	counts := map[string]*[3]int{}
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(make([]byte, 1<<20), 1<<28)
	for scanner.Scan() {
		var r row
		decoder := json.NewDecoder(strings.NewReader(scanner.Text()))
		decoder.UseNumber()
		if err := decoder.Decode(&r); err != nil {
			panic(err)
		}
		engine := engines[r.Dialect]
		if engine == nil || r.Text == "" || (r.Dialect == "timoni" && healthChecks == "") {
			continue
		}
		if counts[r.Dialect] == nil {
			counts[r.Dialect] = &[3]int{}
		}
		counts[r.Dialect][0]++
		for _, s := range r.States {
			counts[r.Dialect][1]++
			want := s.Verdict
			if said, ok := r.Differs[s.State]; ok {
				want = said
			}
			got, err := engine(r, numbers(s.Object))
			if err != nil || got != want {
				counts[r.Dialect][2]++
				fmt.Println(r.Dialect, r.Kind, s.State, "want", want, "got", got, err)
			}
		}
	}
	names := []string{}
	for name := range counts {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Printf("%s: %d kinds, %d states, %d contradictions\n", name, counts[name][0], counts[name][1], counts[name][2])
	}
}
