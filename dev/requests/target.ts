/** The system under test and its administrator. */
export interface Target {
  api_url: string
  payments_url: string
  admin: { email: string; password: string }
  /** The session signing secrets, used to forge sessions. */
  session_keys: string
}
