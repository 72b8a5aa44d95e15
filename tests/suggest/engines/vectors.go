package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	lua "github.com/yuin/gopher-lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	luajson "layeh.com/gopher-json"

	"celvet.dev/engines/wait"
)

// vector is a line as in tests/conformance, answered by the code of kubectl, Helm or Argo CD.
type vector struct {
	Mode   string          `json:"mode"`
	Expr   string          `json:"expr"`
	Script string          `json:"script"`
	Open   bool            `json:"open"`
	Object json.RawMessage `json:"object"`
}

func object(data []byte) (*unstructured.Unstructured, error) {
	o := &unstructured.Unstructured{}
	return o, o.UnmarshalJSON(data)
}

func answer(v vector) map[string]any {
	o, err := object(v.Object)
	if err != nil {
		return map[string]any{"ok": false, "error": "oracle: " + err.Error()}
	}
	switch v.Mode {
	case "argocd-builtin":
		return builtinHealth(o)
	case "helm-legacy":
		return legacyReady(o)
	case "kubectl-wait":
		met, refused, failed := wait.Met(v.Expr, o)
		if refused != nil {
			return map[string]any{"ok": false, "error": refused.Error()}
		}
		result := map[string]any{"ok": true, "met": met}
		if failed != nil {
			result["error"] = failed.Error()
		}
		return result
	}
	status, message, err := scriptHealth(v.Script, v.Open, o.Object)
	if err != nil {
		return map[string]any{"ok": false, "error": err.Error()}
	}
	return map[string]any{"ok": true, "status": status, "message": message}
}

// scriptHealth does what Argo CD does (ExecuteHealthLua in util/lua/lua.go); os is not the reduced one.
func scriptHealth(script string, open bool, obj map[string]any) (string, string, error) {
	L := lua.NewState(lua.Options{SkipOpenLibs: !open})
	defer L.Close()
	for _, library := range []struct {
		name string
		open lua.LGFunction
	}{{lua.LoadLibName, lua.OpenPackage}, {lua.BaseLibName, lua.OpenBase}, {lua.TabLibName, lua.OpenTable}} {
		if err := L.CallByParam(lua.P{Fn: L.NewFunction(library.open), Protect: true}, lua.LString(library.name)); err != nil {
			return "", "", err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	L.SetContext(ctx)
	L.SetGlobal("obj", luaValue(L, obj))
	if err := L.DoString(script); err != nil {
		return "", "", err
	}
	value := L.Get(-1)
	switch value.Type() {
	case lua.LTNil:
		return "", "", nil
	case lua.LTTable:
	default:
		return "", "", errors.New("expect table output from Lua script, not " + value.Type().String())
	}
	data, err := luajson.Encode(value)
	if err != nil {
		return "", "", err
	}
	result := struct {
		Status  string `json:"status,omitempty"`
		Message string `json:"message,omitempty"`
	}{}
	if err := json.Unmarshal(data, &result); err != nil {
		var problem *json.UnmarshalTypeError
		if errors.As(err, &problem) {
			return "", "", nil
		}
		return "", "", err
	}
	switch result.Status {
	case "Unknown", "Progressing", "Suspended", "Healthy", "Degraded", "Missing":
		return result.Status, result.Message, nil
	}
	return "Unknown", "Lua returned an invalid health status", nil
}

func answerVectors() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<28)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			panic(err)
		}
		_ = encoder.Encode(answer(v))
	}
}
