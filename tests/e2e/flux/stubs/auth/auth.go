// Package auth has the names that kustomize-controller needs for its flags.
package auth

// The names of flags and of a feature gate.
const (
	ControllerFlagDefaultServiceAccount           = "default-service-account"
	ControllerFlagDefaultDecryptionServiceAccount = "default-decryption-service-account"
	ControllerFlagDefaultKubeConfigServiceAccount = "default-kubeconfig-service-account"
	FeatureGateObjectLevelWorkloadIdentity        = "ObjectLevelWorkloadIdentity"
	// FeatureGateObjectLevelWorkloadIdentityRetirementReason is empty: the gate is not retired.
	FeatureGateObjectLevelWorkloadIdentityRetirementReason = ""
)
