// Package wait is kubectl's, with a door to its tests of an object.
package wait

import (
	"errors"
	"io"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// ErrState is that of a text that waits for no state of an object.
var ErrState = errors.New("not asked of an object")

type tester interface {
	checkCondition(*unstructured.Unstructured) (bool, error)
}

// Met says whether an object meets the text behind --for: refused is kubectl's word against the
// text, failed its error about the object.
func Met(text string, object *unstructured.Unstructured) (met bool, refused, failed error) {
	if _, err := conditionFuncsFor([]string{text}, io.Discard); err != nil {
		return false, err, nil
	}
	test, err := testerOf(text)
	if err != nil {
		return false, nil, err
	}
	met, err = test.checkCondition(object)
	return met, nil, err
}

func testerOf(text string) (tester, error) {
	if rest, ok := strings.CutPrefix(text, "condition="); ok {
		name, value, given := strings.Cut(rest, "=")
		if !given {
			value = "true"
		}
		return ConditionalWait{conditionName: name, conditionStatus: value, errOut: io.Discard}, nil
	}
	if rest, ok := strings.CutPrefix(text, "jsonpath="); ok {
		path, value, err := processJSONPathInput(rest)
		if err != nil {
			return nil, err
		}
		parser, err := newJSONPathParser(path)
		if err != nil {
			return nil, err
		}
		return JSONPathWait{
			matchAnyValue: value == "", jsonPathValue: value, jsonPathParser: parser, errOut: io.Discard,
		}, nil
	}
	return nil, ErrState
}
