/** Codes of the errors of planning a job: its operation, its parameters and its pipeline. */
export const PLAN_ERRORS = [
  'unknown_service',
  'unknown_operation',
  'operation_disabled',
  'operation_takes_link',
  'params_not_object',
  'invalid_params',
  'params_too_large',
] as const

/** Codes of the errors of submitting a job whose operation and parameters are known to be valid. */
export const INPUT_ERRORS = [
  'invalid_file_url',
  'wrong_file_kind',
  'insufficient_credits',
  'too_many_jobs_in_flight',
  'too_much_unpaid_work',
  'import_headers_not_configured',
] as const

/** Codes of the errors of submitting a job. Contract: Jobs, Submit. */
export const SUBMIT_ERRORS = [...PLAN_ERRORS, ...INPUT_ERRORS] as const
