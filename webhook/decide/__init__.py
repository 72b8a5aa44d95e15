"""The decision on an AdmissionReview: policy, exemptions, new errors. No HTTP."""
