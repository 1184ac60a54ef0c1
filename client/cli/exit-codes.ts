import { JobError, MediaError } from '../node/index.ts'

/** Exit codes of the command line, which README.md documents. */
export const EXIT = {
  ok: 0,
  job_failed: 1,
  usage: 2,
  credentials: 3,
  credits: 4,
  network: 5,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Thrown for an invalid command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Returns the exit code for an error. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof JobError) return EXIT.job_failed
  if (error instanceof UsageError || error instanceof TypeError) return EXIT.usage
  if (!(error instanceof MediaError)) return EXIT.job_failed
  if (error.status === 401 || error.status === 403) return EXIT.credentials
  if (error.status === 402) return EXIT.credits
  if (error.status === 0 || error.status === 429 || error.status >= 500) return EXIT.network
  return EXIT.usage
}

/** Checks whether all remaining jobs would fail in the same way. */
export function endsEverything(code: ExitCode): boolean {
  return code === EXIT.credentials || code === EXIT.credits || code === EXIT.interrupted
}

/** Returns an error as `--json` prints it. */
export function describeError(error: unknown): Record<string, unknown> {
  const message = error instanceof Error ? error.message : String(error)
  if (!(error instanceof MediaError))
    return { code: exitCodeOf(error) === EXIT.usage ? 'usage' : 'error', message }
  const { code, status, param, requestId, retryAfter, docUrl } = error
  const help = helpFor(error)
  return {
    code,
    message,
    ...(help !== undefined && { help }),
    ...(status !== 0 && { status }),
    ...(param !== undefined && { param }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
    ...(docUrl !== undefined && { doc_url: docUrl }),
  }
}

/** Returns the message of an error, followed by what the user can do. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const help = error instanceof MediaError ? helpFor(error) : undefined
  return help === undefined ? error.message : `${error.message}\n${help}`
}

/** Returns the help of the service, or for a refused API key the command that stores another. */
function helpFor({ status, code, help }: MediaError): string | undefined {
  // A password that is wrong is an error of `media login` itself.
  if (status !== 401 || code === 'invalid_credentials') return help
  return 'Run `media login`, or set MEDIA_API_KEY or --api-key to a valid API key.'
}
