import { type ErrorEntry, withFacts } from './entry.ts'

/** Errors for the administrator endpoints. */
export const ADMINISTRATION_ERRORS = {
  own_rights_locked: {
    status: 409,
    detail: 'Administrators cannot block themselves or remove their own rights. Ask another administrator.',
    help: 'Ask another administrator.',
  },
  operation_not_found: {
    status: 404,
    detail: 'Operation not found. Use an id from the list of operations.',
    help: 'Use an id from the list of operations.',
  },
  slug_taken: withFacts({
    status: 409,
    shape: 'object',
    detail: ({ slug }: { slug: string }) => `Another plan has the slug ${slug}. Choose a different one.`,
    example: { slug: 'pro' },
    help: 'Choose a different slug.',
  }),
  promotion_not_found: {
    status: 404,
    detail: 'Promotion not found. Use an id from the list of promotions.',
    help: 'Use an id from the list of promotions.',
  },
  promotion_over: {
    status: 409,
    shape: 'object',
    detail: 'The promotion is over. Create a new one.',
    help: 'Create a new promotion.',
  },
  promotion_begun: {
    status: 409,
    shape: 'object',
    detail: 'The promotion has started. You can only set an earlier end.',
    help: 'Set an earlier end, or create another promotion.',
  },
  promotion_overlaps: {
    status: 409,
    shape: 'object',
    detail: 'Another promotion for this item runs at that time. Choose other dates.',
    help: 'Choose other dates, or retire the other promotion.',
  },
  order_not_partially_paid: withFacts({
    status: 409,
    detail: ({ status }: { status: string }) =>
      `Only a payment with the status partially_paid can be resolved; this one is ${status}.`,
    example: { status: 'paid' },
    help: 'Reload the payment.',
  }),
  payment_below_one_credit: {
    status: 409,
    detail:
      'The payment covers less than one credit of an ordered item. Refuse it, or grant the order in full.',
    help: 'Choose the action refuse or full_grant.',
  },
  refund_not_found: {
    status: 404,
    detail: 'Refund not found. Use an id from the list of refunds.',
    help: 'Use an id from the list of refunds.',
  },
  refund_not_awaiting_payout: withFacts({
    status: 409,
    detail: ({ status }: { status: string }) =>
      `The refund has the status ${status}. Only a refund with the status awaiting_payout can be resolved.`,
    example: { status: 'succeeded' },
    help: 'Reload the refund.',
  }),
  removal_exceeds_balance: withFacts({
    status: 409,
    detail: ({ balance }: { balance: number }) =>
      `The balance is ${balance} credits. Remove at most that many.`,
    example: { balance: 20 },
    help: 'Remove at most the balance.',
  }),
  event_not_found: {
    status: 404,
    detail: 'Event not found. Use an id from the list of unmatched events.',
    help: 'Use an id from the list of unmatched events.',
  },
  event_already_settled: withFacts({
    status: 409,
    detail: ({ outcome }: { outcome: string }) =>
      `The event was already settled as ${outcome}. Only open events can be settled.`,
    example: { outcome: 'granted' },
    help: 'Reload the event.',
  }),
  mail_not_configured: {
    status: 409,
    detail: 'No mail server is configured. Set SMTP_HOST first.',
    help: 'Set SMTP_HOST.',
  },
} as const satisfies Record<string, ErrorEntry>
