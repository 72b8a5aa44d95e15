// Package spiffe has the names that kustomize-controller needs for its flags, and no identities.
package spiffe

import (
	"crypto/tls"
	"errors"
)

// The names of flags.
const (
	ControllerFlagAuthorizedArtifactServerSPIFFEID = "authorized-artifact-server-spiffe-id"
	ControllerFlagAuthorizedEventServerSPIFFEID    = "authorized-event-server-spiffe-id"
	ControllerFlagSPIFFEBrokerEndpoint             = "spiffe-broker-endpoint"
	ControllerFlagSPIFFEBrokerID                   = "spiffe-broker-id"
)

// BuildTLSConfig fails.
func BuildTLSConfig(any, ...string) (*tls.Config, error) { return nil, errors.ErrUnsupported }
