/** The system under test and its administrator. */
export interface Target {
  api_url: string
  payments_url: string
  admin: { email: string; password: string }
  /** The secrets that sign sessions, for forging some. */
  session_keys: string
}
