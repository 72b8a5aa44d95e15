package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/health"
	"helm.sh/helm/v4/pkg/kube"
	appsv1 "k8s.io/api/apps/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	restfake "k8s.io/client-go/rest/fake"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	// Installs the defaults of the API server.
	_ "github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube/scheme"
)

// builtinHealth asks the rules of Argo CD for built-in kinds, without scripts.
func builtinHealth(o *unstructured.Unstructured) map[string]any {
	result, err := health.GetResourceHealth(o, nil)
	answer := map[string]any{"ok": err == nil, "status": "", "message": ""}
	if result != nil {
		answer["status"], answer["message"] = string(result.Status), result.Message
	}
	return answer
}

// legacyReady asks the ready checker of Helm about an object as the API server has it. A Deployment
// has a ReplicaSet with as many ready pods; there are no pods.
func legacyReady(o *unstructured.Unstructured) (answer map[string]any) {
	defer func() {
		if problem := recover(); problem != nil {
			answer = map[string]any{"ok": false, "error": fmt.Sprintf("oracle: %v", problem)}
		}
	}()
	_ = apiextensionsv1.AddToScheme(scheme.Scheme)
	if o.GetName() == "" {
		o.SetName("one")
	}
	o.SetNamespace("default")
	objects := []runtime.Object{}
	if typed, err := scheme.Scheme.New(o.GroupVersionKind()); err == nil {
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, typed); err != nil {
			return map[string]any{"ok": false, "error": "oracle: " + err.Error()}
		}
		legacyscheme.Scheme.Default(typed)
		if deployment, is := typed.(*appsv1.Deployment); is {
			objects = append(objects, replicaSet(deployment))
		}
		objects = append(objects, typed)
	}
	data, err := json.Marshal(o.Object)
	if err != nil {
		panic(err)
	}
	info := &resource.Info{Name: o.GetName(), Namespace: "default", Object: o, Client: &restfake.RESTClient{
		NegotiatedSerializer: resource.UnstructuredPlusDefaultContentConfig().NegotiatedSerializer,
		Client: restfake.CreateHTTPClient(func(*http.Request) (*http.Response, error) {
			header := http.Header{"Content-Type": []string{"application/json"}}
			return &http.Response{StatusCode: http.StatusOK, Header: header, Body: io.NopCloser(bytes.NewReader(data))}, nil
		}),
	}, Mapping: &meta.RESTMapping{GroupVersionKind: o.GroupVersionKind(), Scope: meta.RESTScopeRoot}}
	checker := kube.NewReadyChecker(fake.NewClientset(objects...), kube.PausedAsReady(true))
	ready, err := checker.IsReady(context.Background(), info)
	if err != nil {
		return map[string]any{"ok": false, "error": "oracle: " + err.Error()}
	}
	return map[string]any{"ok": true, "ready": ready}
}

// replicaSet is the one that belongs to the newest template of a Deployment.
func replicaSet(d *appsv1.Deployment) *appsv1.ReplicaSet {
	labels := map[string]string{"app": "one"}
	d.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	d.Spec.Template.Labels = labels
	d.UID = "1"
	controls := true
	owner := metav1.OwnerReference{APIVersion: "apps/v1", Kind: "Deployment", Name: d.Name, UID: d.UID, Controller: &controls}
	return &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Name: "one-1", Namespace: "default", Labels: labels, OwnerReferences: []metav1.OwnerReference{owner}},
		Spec:       appsv1.ReplicaSetSpec{Selector: d.Spec.Selector, Template: d.Spec.Template},
		Status:     appsv1.ReplicaSetStatus{ReadyReplicas: d.Status.ReadyReplicas},
	}
}
