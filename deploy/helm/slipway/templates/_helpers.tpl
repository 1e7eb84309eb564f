{{- define "slipway.name" -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) }}
{{- $name | trunc 52 | trimSuffix "-" }}
{{- end }}

{{- define "slipway.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "slipway.labels" -}}
{{ include "slipway.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "slipway.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "slipway.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "slipway.secret" -}}
{{- .Values.existingSecret | default (include "slipway.name" .) }}
{{- end }}

{{- define "slipway.claim" -}}
{{- .Values.storage.volume.existingClaim | default (include "slipway.name" .) }}
{{- end }}

{{- define "slipway.check" -}}
{{- if not .Values.baseUrl }}{{ fail "set baseUrl to the address of people and agents, such as https://ci.example.com" }}{{ end }}
{{- if and (not .Values.existingSecret) (not (and .Values.databaseUrl .Values.secretKey)) }}
{{- fail "set existingSecret to a secret with DATABASE_URL and SECRET_KEY, or databaseUrl and secretKey" }}
{{- end }}
{{- if and .Values.secretKey (lt (len .Values.secretKey) 32) }}{{ fail "secretKey: at least 32 characters" }}{{ end }}
{{- $volume := .Values.storage.volume }}
{{- if and (gt (int .Values.replicas) 1) (not .Values.storage.url) (not $volume.existingClaim) (not (has "ReadWriteMany" $volume.accessModes)) }}
{{- fail "several replicas share the storage: set storage.url to a bucket, or accessModes to [ReadWriteMany]" }}
{{- end }}
{{- end }}
