{{/* Names begin with that of the release. */}}
{{- define "prosa.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "prosa.secret" -}}
{{- .Values.existingSecret | default (include "prosa.name" .) -}}
{{- end -}}

{{/* Of what an upgrade may not change: .root and .role */}}
{{- define "prosa.selector" -}}
app.kubernetes.io/name: prosa
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- define "prosa.labels" -}}
{{ include "prosa.selector" . }}
app.kubernetes.io/part-of: prosa
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{/* What a stop may take: requests, calls, then requests and jobs, and the end of the process. */}}
{{- define "prosa.graceSeconds" -}}
{{- with .Values.shutdown -}}
{{- add .delaySeconds .callDrainSeconds (mul 2 .timeoutSeconds) 30 -}}
{{- end -}}
{{- end -}}

{{- define "prosa.image" -}}
{{- $image := (index .root.Values .role).image -}}
{{ printf "%s:%s" $image.repository ($image.tag | default .root.Chart.AppVersion) }}
{{- end -}}

{{/* Variables of each process, given as .root, .role and .own: those of its role. */}}
{{- define "prosa.env" -}}
{{- $values := .root.Values -}}
{{- $all := dict
  "PROSA_ROLES" .role
  "OPERATIONS_PORT" "3001"
  "DATA_DIR" "/app/.prosa"
  "SHUTDOWN_DELAY_SECONDS" (toString $values.shutdown.delaySeconds)
  "CALL_DRAIN_SECONDS" (toString $values.shutdown.callDrainSeconds)
  "SHUTDOWN_TIMEOUT_SECONDS" (toString $values.shutdown.timeoutSeconds)
-}}
{{- if $values.ingress.enabled -}}
{{- $_ := set $all "PUBLIC_URL" (printf "%s://%s" (ternary "https" "http" (ne $values.ingress.tlsSecret "")) $values.ingress.host) -}}
{{- $_ := set $all "TRUST_PROXY" "1" -}}
{{- end -}}
{{- if $values.voice.sip.enabled -}}
{{- $_ := set $all "SIP_LISTEN" (printf "0.0.0.0:%v" $values.voice.sip.port) -}}
{{- end -}}
- name: POD_IP
  valueFrom: { fieldRef: { fieldPath: status.podIP } }
{{- range $name, $value := merge (dict) .own $values.config $all }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range $values.secretKeys }}
- name: {{ . }}_FILE
  value: /run/secrets/prosa/{{ . }}
{{- end }}
{{- end -}}

{{- define "prosa.podSecurity" -}}
automountServiceAccountToken: false
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "prosa.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* A process answers live while it waits for its database, and ready from the moment on when it works. */}}
{{- define "prosa.probes" -}}
startupProbe:
  httpGet: { path: /health/live, port: operations }
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /health/live, port: operations }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /health/ready, port: operations }
  periodSeconds: 3
  timeoutSeconds: 5
  failureThreshold: 1
{{- end -}}

{{- define "prosa.volumes" -}}
{{- with .Values.files.existingClaim }}
- name: files
  persistentVolumeClaim: { claimName: {{ . }} }
{{- end }}
- name: secrets
  secret:
    secretName: {{ include "prosa.secret" . }}
    defaultMode: 0440
    items:
      {{- range .Values.secretKeys }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- end -}}

{{/* Given as .root, .role, .own (variables of the role) and .ports */}}
{{- define "prosa.container" -}}
name: prosa
image: {{ include "prosa.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext: {{- include "prosa.containerSecurity" . | nindent 2 }}
env: {{- include "prosa.env" . | nindent 2 }}
ports:
  - { name: operations, containerPort: 3001 }
  {{- range .ports }}
  - {{ toJson . }}
  {{- end }}
{{ include "prosa.probes" . }}
resources: {{- toYaml (index .root.Values .role).resources | nindent 2 }}
volumeMounts:
  - { name: data, mountPath: /app/.prosa }
  {{- if .root.Values.files.existingClaim }}
  - { name: files, mountPath: /app/.prosa/files }
  {{- end }}
  - { name: secrets, mountPath: /run/secrets/prosa, readOnly: true }
  - { name: tmp, mountPath: /tmp }
{{- end -}}

{{/* Where pods of .role are placed. One of a host is preferred, or with .isAlone the only one. */}}
{{- define "prosa.placement" -}}
{{- $own := index .root.Values .role -}}
affinity:
  podAntiAffinity:
    {{- if .isAlone }}
    requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels: {{- include "prosa.selector" . | nindent 12 }}
    {{- else }}
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels: {{- include "prosa.selector" . | nindent 14 }}
    {{- end }}
{{- with $own.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Not where a HorizontalPodAutoscaler sets it. */}}
{{- define "prosa.replicas" -}}
{{- $own := index .root.Values .role -}}
{{- if not $own.autoscaling.enabled }}
replicas: {{ $own.replicas }}
{{- end }}
{{- end -}}

{{- define "prosa.podDisruptionBudget" -}}
{{- $own := index .root.Values .role -}}
{{- if $own.podDisruptionBudget.enabled }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "prosa.name" .root }}-{{ .role }}
  labels: {{- include "prosa.labels" . | nindent 4 }}
spec:
  maxUnavailable: {{ $own.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels: {{- include "prosa.selector" . | nindent 6 }}
{{- end }}
{{- end -}}
