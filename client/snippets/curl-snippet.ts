import { jobBody, quoteForShell, quoteWhereNeeded, type SnippetCall } from './snippet-call.ts'

interface CurlOptions {
  /** Makes the call repeatable; the same key returns the same job. */
  idempotencyKey?: string
  /** True to save the job, wait for its end, and download the result (requires jq). */
  downloads?: boolean
}

/** Writes the curl call that runs a job: a form with the file, or JSON for a link. */
export function curlSnippet(call: SnippetCall, options: CurlOptions = {}): string {
  const { apiUrl, takesLink } = call
  const repeatable = options.idempotencyKey ? ` -H "Idempotency-Key: ${options.idempotencyKey}"` : ''
  const lines = [
    `curl -sS --fail-with-body ${apiUrl}/api/v1/jobs/${takesLink ? 'api' : 'upload'}`,
    `-H "X-Api-Key: $MEDIA_API_KEY"${repeatable}`,
    ...(takesLink ? jsonLines(call) : formLines(call)),
    ...(options.downloads ? ['-o job.json'] : []),
  ]
  const submit = lines.join(' \\\n  ')
  return options.downloads ? `${submit}\n\n${downloadLines(apiUrl)}` : submit
}

function jsonLines(call: SnippetCall): string[] {
  return ["-H 'Content-Type: application/json'", `-d ${quoteForShell(JSON.stringify(jobBody(call)))}`]
}

function formLines({ service_slug, operation_key, params, input }: SnippetCall): string[] {
  const has_params = Object.keys(params).length > 0
  return [
    `-F service_slug=${service_slug} -F operation_key=${operation_key}`,
    ...(has_params ? [`-F ${quoteForShell(`params=${JSON.stringify(params)}`)}`] : []),
    `-F file=@${quoteWhereNeeded(input)}`,
  ]
}

function downloadLines(apiUrl: string): string {
  return `until jq -e '.status | IN("done", "failed", "canceled")' job.json > /dev/null; do
  curl -sS --fail-with-body "${apiUrl}/api/v1/jobs/$(jq -r .id job.json)?wait=60" \\
    -H "X-Api-Key: $MEDIA_API_KEY" -o job.json || break
done

curl -sS --fail-with-body "$(jq -er .result.url job.json)" -o "result-$(jq -r .result.filename job.json)"`
}
