import type { Deps } from '../deps.ts'
import { invalidField } from '../platform/errors/api-error.ts'
import { judgePublicAddress } from '../platform/public-address.ts'

/** Throws 422 for a URL that webhooks must not reach. If DNS fails now, the check before each attempt decides. */
export async function requireSafeWebhook(
  deps: Deps,
  address: string,
  field: 'webhook_url' | 'url' = 'webhook_url',
): Promise<void> {
  const verdict = await judgePublicAddress(deps, address)
  if (verdict === 'unsafe') throw invalidField(field, 'unsafe_webhook_url')
  if (verdict === 'nowhere') throw invalidField(field, 'unresolvable_webhook_host')
}
