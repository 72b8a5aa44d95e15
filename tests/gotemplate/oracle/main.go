// The oracle of the gotemplate tests: what Go's own text/template, with the functions that the
// operator registers, answers. One JSON line in, one JSON line out:
//
//	{"template": "...", "data": {...}}  ->  {"ok": true, "text": "..."} or {"ok": false, "error": "..."}
//
// The text is base64 (a Go string need not be UTF-8). {"yaml": "..."} asks for the JSON of a YAML text.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"text/template"

	sprig "github.com/go-task/slim-sprig/v3"
	"github.com/gosimple/slug"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

type request struct {
	Template string          `json:"template"`
	Data     json.RawMessage `json:"data"`
	YAML     *string         `json:"yaml"`
}

type response struct {
	OK    bool   `json:"ok"`
	Text  string `json:"text,omitempty"`
	Error string `json:"error,omitempty"`
}

const maxOutput = 1 << 20

type tooMuch struct{}

func (tooMuch) Error() string { return "ORACLE: too much output" }

type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxOutput {
		return 0, tooMuch{}
	}
	return b.Buffer.Write(p)
}

func mustToYaml(v any) (string, error) {
	b, err := yaml.Marshal(v)
	return string(b), err
}

func toYaml(v any) string {
	s, err := mustToYaml(v)
	if err != nil {
		return ""
	}
	return s
}

func answer(r request) response {
	if r.YAML != nil {
		b, err := yaml.YAMLToJSON([]byte(*r.YAML))
		if err != nil {
			return response{Error: err.Error()}
		}
		return response{OK: true, Text: base64.StdEncoding.EncodeToString(b)}
	}
	var inputs map[string]any
	if len(r.Data) > 0 {
		if err := kjson.UnmarshalCaseSensitivePreserveInts(r.Data, &inputs); err != nil {
			return response{Error: "ORACLE: " + err.Error()}
		}
	}
	t, err := template.New("resourceset").Delims("<<", ">>").
		Funcs(sprig.HermeticTxtFuncMap()).
		Funcs(template.FuncMap{
			"slugify": slug.Make, "toYaml": toYaml, "mustToYaml": mustToYaml,
			"inputs": func() any { return inputs },
		}).
		Option("missingkey=error").Parse(r.Template)
	if err != nil {
		return response{Error: err.Error()}
	}
	var b bounded
	if err := t.Execute(&b, nil); err != nil {
		return response{Error: err.Error()}
	}
	return response{OK: true, Text: base64.StdEncoding.EncodeToString(b.Bytes())}
}

func main() {
	slug.MaxLength = 63
	slug.EnableSmartTruncate = true
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<26)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for in.Scan() {
		var r request
		resp := response{Error: "ORACLE: bad request"}
		if err := json.Unmarshal(in.Bytes(), &r); err == nil {
			resp = answer(r)
		}
		if err := enc.Encode(resp); err != nil {
			panic(err)
		}
		if err := out.Flush(); err != nil {
			panic(err)
		}
	}
}
