/** Where requests are sent, and who may do all there. */
export interface Target {
  api_url: string
  payments_url: string
  admin: { email: string; password: string }
  /** The secrets that sign sessions, to make some that look right. */
  session_keys: string
}
