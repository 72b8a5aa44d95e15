{{- define "celvet.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "celvet.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- else }}
{{- $name := include "celvet.name" . }}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 52 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "celvet.selector" -}}
app.kubernetes.io/name: {{ include "celvet.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "celvet.labels" -}}
{{ include "celvet.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The annotations of an object: its own and the common ones. */}}
{{- define "celvet.annotations" -}}
{{- with merge (dict) (index . 1 | default dict) (index . 0).Values.commonAnnotations }}
{{- nindent 2 "annotations:" }}{{ toYaml . | nindent 4 }}
{{- end }}
{{- end }}

{{- define "celvet.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (ternary (include "celvet.fullname" .) "default" .Values.serviceAccount.create) }}
{{- end }}

{{- define "celvet.image" -}}
{{- if .Values.image.digest }}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}
{{- end }}

{{/* The resources of a pod. Its memory limit covers the judging processes; `celvet.webhook.memory_budget` divides it. */}}
{{- define "celvet.resources" -}}
{{- $memory := printf "%dMi" (add 448 (mul .Values.workers .Values.memoryPerWorker)) }}
{{- toYaml (mergeOverwrite (dict "limits" (dict "memory" $memory)) .Values.resources) }}
{{- end }}

{{/* Whether the pods call the API server: "true" or nothing. */}}
{{- define "celvet.calls" -}}
{{- if or (eq .Values.certificates.mode "self") .Values.crdsFromApiServer .Values.events .Values.audit.enabled }}true{{ end }}
{{- end }}

{{/* The namespaces that the webhook never sees. */}}
{{- define "celvet.excluded" -}}
{{- $fail := ternary .Values.webhook.excludedUnderFail list (eq .Values.webhook.failurePolicy "Fail") }}
{{- append (concat .Values.webhook.excludedNamespaces $fail) .Release.Namespace | uniq | toYaml }}
{{- end }}

{{/* A probe, over TLS if the metrics are. */}}
{{- define "celvet.probe" -}}
{{- $probe := index . 1 }}
{{- if and (index . 0).Values.metricsTLS $probe.httpGet }}
{{- $probe = mergeOverwrite (deepCopy $probe) (dict "httpGet" (dict "scheme" "HTTPS")) }}
{{- end }}
{{- toYaml $probe }}
{{- end }}

{{/* Each mode has its own Secret, so a change of mode never removes a Secret that another mode writes. */}}
{{- define "celvet.tlsSecret" -}}
{{- if eq .Values.certificates.mode "secret" }}
{{- required "certificates.mode: secret needs certificates.secret.name" .Values.certificates.secret.name }}
{{- else if eq .Values.certificates.mode "certManager" }}
{{- include "celvet.fullname" . }}-certificate
{{- else }}
{{- include "celvet.fullname" . }}-tls
{{- end }}
{{- end }}
