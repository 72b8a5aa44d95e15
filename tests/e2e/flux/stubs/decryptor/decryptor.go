// Package decryptor takes the place of kustomize-controller's, and decrypts nothing.
package decryptor

import (
	"context"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/pkg/cache"
	"github.com/fluxcd/pkg/spiffe/broker"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/kustomize/api/resource"
)

// Option has no effect.
type Option func(*Decryptor)

// Decryptor finds nothing to decrypt.
type Decryptor struct{}

func none(*Decryptor) {}

// New gives a Decryptor.
func New(client.Client, *kustomizev1.Kustomization, ...Option) (*Decryptor, func(), error) {
	return &Decryptor{}, func() {}, nil
}

// WithRoot has no effect.
func WithRoot(string) Option { return none }

// WithTokenCache has no effect.
func WithTokenCache(cache.TokenCache) Option { return none }

// WithSPIFFEBroker has no effect.
func WithSPIFFEBroker(broker.Interface) Option { return none }

// WithDefaultServiceAccount has no effect.
func WithDefaultServiceAccount(string) Option { return none }

// WithSOPSAgeSecret has no effect.
func WithSOPSAgeSecret(string, string) Option { return none }

// WithVaultConfigMap has no effect.
func WithVaultConfigMap(string, string) Option { return none }

// ImportKeys imports none.
func (d *Decryptor) ImportKeys(context.Context) error { return nil }

// SetAuthOptions sets none.
func (d *Decryptor) SetAuthOptions(context.Context) error { return nil }

// DecryptSources decrypts none.
func (d *Decryptor) DecryptSources(string) error { return nil }

// DecryptResource finds that a resource is not encrypted.
func (d *Decryptor) DecryptResource(*resource.Resource) (*resource.Resource, error) {
	return nil, nil
}

// IsEncryptedSecret finds none.
func IsEncryptedSecret(*unstructured.Unstructured) bool { return false }

// IsDecryptionDisabled finds none.
func IsDecryptionDisabled(map[string]string) bool { return false }
