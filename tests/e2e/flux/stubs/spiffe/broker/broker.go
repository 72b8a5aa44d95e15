// Package broker has no broker.
package broker

import "errors"

// Interface is what the controller passes on.
type Interface any

// Client is what the controller closes.
type Client interface{ Close() error }

// New fails.
func New(string, []string, any) (Client, error) { return nil, errors.ErrUnsupported }
