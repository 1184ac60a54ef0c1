import type { Deps } from '../deps.ts'
import { invalidField } from '../platform/errors/api-error.ts'
import { judgePublicAddress } from '../platform/public-address.ts'
import type { NameVerdict } from '../platform/rules/resolved-names.ts'

/** Throws 422 for a URL that webhooks must not reach. If DNS fails now, the check before each attempt decides. */
export async function requireSafeWebhook(
  deps: Deps,
  address: string,
  field: 'webhook_url' | 'url' = 'webhook_url',
): Promise<void> {
  const verdict = await judgeWebhookAddress(deps, address)
  if (verdict === 'unencrypted') throw invalidField(field, 'unencrypted_webhook_url')
  if (verdict === 'unsafe') throw invalidField(field, 'unsafe_webhook_url')
  if (verdict === 'nowhere') throw invalidField(field, 'unresolvable_webhook_host')
}

export type WebhookVerdict = NameVerdict | 'unencrypted'

/** Checks that a URL is encrypted, unless the deployment allows others, and leads to a public host. */
export async function judgeWebhookAddress(
  deps: Pick<Deps, 'env' | 'dns'>,
  address: string,
): Promise<WebhookVerdict> {
  const { ALLOW_HTTP_WEBHOOKS, ENVIRONMENT } = deps.env
  const isHttpAllowed = ALLOW_HTTP_WEBHOOKS ?? ENVIRONMENT === 'local'
  if (!isHttpAllowed && URL.parse(address)?.protocol === 'http:') return 'unencrypted'
  return judgePublicAddress(deps, address)
}
