// Answers what kustomize-controller applies for a Kustomization: a JSON request on each line of
// standard input, an answer on each line of standard output.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	generator "github.com/fluxcd/pkg/kustomize"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

type request struct {
	Files         map[string]string      `json:"files"`
	Kustomization map[string]interface{} `json:"kustomization"`
	ConfigMaps    []corev1.ConfigMap     `json:"configMaps"`
}

type answer struct {
	Objects []map[string]interface{} `json:"objects"`
	Error   string                   `json:"error,omitempty"`
}

func main() {
	in, out := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked request
		var found answer
		err = json.Unmarshal(line, &asked)
		if err == nil {
			found.Objects, err = built(asked)
		}
		if err != nil {
			found = answer{Error: err.Error()}
		}
		if err := out.Encode(found); err != nil {
			panic(err)
		}
	}
}

// built mirrors generate, build and apply of kustomize-controller 1.10.1.
func built(asked request) ([]map[string]interface{}, error) {
	root, err := os.MkdirTemp("", "flux")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	for name, text := range asked.Files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	owner := unstructured.Unstructured{Object: asked.Kustomization}
	path, _, _ := unstructured.NestedString(owner.Object, "spec", "path")
	directory := filepath.Join(root, path)
	if _, err := generator.NewGenerator(root, owner).WriteFile(directory); err != nil {
		return nil, err
	}
	found, err := generator.SecureBuild(root, directory, false)
	if err != nil {
		return nil, err
	}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	builder := fake.NewClientBuilder().WithScheme(scheme)
	for index := range asked.ConfigMaps {
		builder = builder.WithObjects(&asked.ConfigMaps[index])
	}
	client := builder.Build()
	_, substitutes, _ := unstructured.NestedMap(owner.Object, "spec", "postBuild")
	strategy, _, _ := unstructured.NestedString(owner.Object, "spec", "postBuild", "substituteStrategy")
	var objects []map[string]interface{}
	for _, each := range found.Resources() {
		if substitutes {
			_, err := generator.SubstituteVariables(context.Background(), client, owner, each,
				generator.SubstituteWithAlways(strategy == "Always"))
			if err != nil {
				return nil, err
			}
		}
		value, err := each.Map()
		if err != nil {
			return nil, err
		}
		object := unstructured.Unstructured{Object: value}
		for field, set := range map[string]func(map[string]string){
			"labels": object.SetLabels, "annotations": object.SetAnnotations,
		} {
			// SetCommonMetadata of fluxcd/pkg/ssa/utils
			pairs, _, _ := unstructured.NestedStringMap(owner.Object, "spec", "commonMetadata", field)
			held, _, err := unstructured.NestedStringMap(value, "metadata", field)
			if err != nil {
				return nil, err
			}
			if held == nil {
				held = map[string]string{}
			}
			for key, text := range pairs {
				held[key] = text
			}
			if len(pairs) > 0 {
				set(held)
			}
		}
		objects = append(objects, object.Object)
	}
	return objects, nil
}
