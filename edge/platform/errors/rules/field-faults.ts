import type { InputFault } from './entry.ts'

const ADDRESSING = 'The tool is missing or ambiguous. Send operation_id, or service_slug and operation_key.'

/**
 * The faults of a single field. The code is `type` in the body; the sentence is `msg`. Contract: Errors, Status
 * 422.
 */
export const FIELD_FAULTS = {
  invalid_email: 'The email address is invalid. Check its spelling.',
  email_domain_unreachable: 'The domain of this email address does not receive email. Check its spelling.',
  disposable_email: 'Disposable email addresses are not accepted. Use a permanent one.',
  weak_password: 'Password is too common. Choose a different one.',
  not_a_site_path: 'Must be a path on this site. Send one like /studio.',
  ambiguous_operation: ADDRESSING,
  ambiguous_account: 'The account is missing or ambiguous. Send either account_id or email.',
  tool_mismatch:
    'operation_id does not match service_slug and operation_key. Send only one of the two forms.',
  file_url_and_url: 'Send either file_url or url, not both.',
  file_urls_or_files: 'The files are missing or ambiguous. Send either file_urls or files.',
  preset_not_found: ({ operation, count }: { operation: string; count: number }) =>
    `${operation} has ${count} presets, numbered from 0. Use one of them.`,
  invalid_preset: ({ reason }: { reason: string }) => `The preset is invalid for this operation: ${reason}.`,
  duplicate_preset: ({ label }: { label: string }) =>
    `Two presets have the label ${label}. Use different labels.`,
  unstorable_params: 'Must be JSON without deep nesting or lone surrogates. Simplify the params.',
  unstorable_body: ({ reason }: { reason: string }) => `The body ${reason}. Simplify it.`,
  json_invalid: 'The body is not valid JSON. Send a JSON object.',
  form_invalid: ({ reason }: { reason: string }) => reason,
  file_missing: 'The form has no file. Send the file in the field `file`.',
  file_empty: 'The file is empty. Send a file that is not empty.',
  part_out_of_range: ({ part_count }: { part_count: number }) =>
    `The upload has parts 1 to ${part_count}. Use one of these numbers.`,
  batch_too_large: ({ files, in_flight_max }: { files: number; in_flight_max: number }) =>
    `The batch has ${files} files, but your plan allows ${in_flight_max} in flight. Send at most ${in_flight_max} files in one batch.`,
  unsafe_webhook_url: 'Must be a public http or https URL. Private and reserved addresses are not allowed.',
  unresolvable_webhook_host: 'The host name does not resolve. Check its spelling.',
  webhook_needs_account: 'Webhooks require an account. Sign in, or omit webhook_url.',
  message_too_short: ({ length_min }: { length_min: number }) =>
    `The message has fewer than ${length_min} characters. Write a longer one.`,
  message_too_long: ({ length_max }: { length_max: number }) =>
    `The message has more than ${length_max} characters. Shorten it.`,
  idempotency_key_reused: 'This Idempotency-Key was used for another request. Use a new key.',
  in_the_past: 'The time is in the past. Choose a later one.',
  ends_before_start: 'ends_at is not after starts_at. Choose a later end.',
  unknown_setting: 'Setting not found. Use a name from the list of settings.',
  settings_conflict: (facts: { low: string; low_value: unknown; high: string; high_value: unknown }) =>
    `${facts.low} would be ${facts.low_value}, which is more than ${facts.high} (${facts.high_value}). Change both together.`,
  zero_credits: 'credits is 0. Send a positive number to add, a negative one to remove.',
  note_missing: 'note is missing. Give the reason for removing credits.',
  duplicate_term: 'Two terms have the same number of months. List each once.',
  discounted_month: 'A single month cannot have a discount. Use a promotion instead.',
  settlement_fields: 'grant requires account_id and credits; dismiss accepts neither.',
} satisfies Record<string, string | ((facts: never) => string)>

export type FieldFault = keyof typeof FIELD_FAULTS
export type FieldFacts<Code extends FieldFault> = (typeof FIELD_FAULTS)[Code] extends (
  facts: infer Facts,
) => string
  ? [facts: Facts]
  : []

/**
 * Describes a fault at a location in the input.
 * @param loc starts with body, query, path or header.
 */
export function faultAt<Code extends FieldFault>(
  loc: InputFault['loc'],
  code: Code,
  ...[facts]: FieldFacts<Code>
): InputFault {
  const sentence: string | ((facts: never) => string) = FIELD_FAULTS[code]
  return { loc, msg: typeof sentence === 'string' ? sentence : sentence(facts as never), type: code }
}

type FixedFault = { [Code in FieldFault]: FieldFacts<Code> extends [] ? Code : never }[FieldFault]

/** Returns the same fault for a schema, as the parameters of a refinement or an issue. */
export function schemaFault(code: FixedFault): { message: string; params: { fault: FieldFault } } {
  return { message: FIELD_FAULTS[code], params: { fault: code } }
}
