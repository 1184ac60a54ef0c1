import { eraseContent } from './account-deletion/erase-content.ts'
import { sendGrant } from './administration/grant-elsewhere.ts'
import type { EffectHandler } from './deps.ts'
import { sendQueuedEmail } from './emails/send.ts'
import { sendToChat } from './feedback/relay.ts'
import { sendCancels } from './jobs/cancel-effect.ts'
import { sendCancelOpen } from './jobs/cancel-open-jobs.ts'
import { sendDispatches } from './jobs/dispatch.ts'
import { removeFiles } from './jobs/purge-effect.ts'
import { answerMessage } from './messenger/reply.ts'
import { closeCheckout } from './orders/close-checkout.ts'
import { sendResetLink } from './password-resets/send-reset-link.ts'
import { payBack } from './payments/pay-back.ts'
import type { EffectKind } from './platform/outbox/queries.ts'
import { sendEach } from './platform/outbox/send.ts'
import { payRefund } from './refunds/pay-out.ts'
import { readPayout } from './refunds/payout-effect.ts'
import { endMandate } from './subscriptions/end-mandate.ts'
import { abortParts } from './uploads/abort-effect.ts'
import { deliverWebhooks } from './webhooks/deliver.ts'

/** The sender for each kind of effect. */
export const EFFECTS: Record<EffectKind, EffectHandler> = {
  dispatch: sendDispatches,
  cancel: sendCancels,
  cancel_open: sendEach((deps, { payload }) => sendCancelOpen(deps, payload)),
  purge: sendEach((deps, { payload }) => removeFiles(deps, payload)),
  abort: sendEach((deps, { payload }) => abortParts(deps, payload)),
  mail: sendEach((deps, { id, payload }) => sendQueuedEmail(deps, id, payload)),
  webhook: deliverWebhooks,
  refund: sendEach((deps, { payload }) => payRefund(deps, readPayout(payload))),
  checkout: sendEach((deps, { payload }) => closeCheckout(deps, payload)),
  payback: sendEach((deps, { payload }) => payBack(deps, payload)),
  mandate: sendEach((deps, { payload }) => endMandate(deps, payload)),
  messenger: sendEach((deps, { id, payload }) => answerMessage(deps, id, payload)),
  feedback: sendEach((deps, { payload }) => sendToChat(deps, payload)),
  grant: sendEach((deps, { payload }) => sendGrant(deps, payload)),
  erase: sendEach((deps, effect) => eraseContent(deps, effect)),
  password_reset: sendEach((deps, { id, payload }) => sendResetLink(deps, id, payload)),
}
