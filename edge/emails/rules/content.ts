/** A part of an email, as plain text. It is escaped in HTML. A string is a paragraph. */
export type Block =
  | string
  /** A code to copy. */
  | { code: string }
  /** The amount or the date that the email is about. */
  | { figure: string }
  /** Labels and values. */
  | { facts: readonly (readonly [label: string, value: string])[] }
  /** Items, each with an outcome. */
  | { list: readonly { title: string; outcome: string; is_good: boolean }[] }
  /** Text by someone else, which keeps its line breaks. */
  | { quote: string }
  /** Main action of the email. */
  | { button: { label: string; url: string } }
  /** Another action. */
  | { link: { label: string; url: string } }

/** The content of an email in one language. Both the text and the HTML are rendered from it. */
export interface EmailContent {
  subject: string
  /** Heading of the HTML; by default the subject. */
  heading?: string
  greeting: string
  blocks: readonly Block[]
  /** URL for a one-click POST that unsubscribes from this kind of email (RFC 8058). */
  unsubscribe_url?: string
}

/** Text at the end of an email. */
export interface Footer {
  sender: string
  /** How to contact support; absent if administrators named no contact. */
  support?: { introduction: string; label: string; url: string }
  /** Introduces the URL of a button, for readers whose mail client shows no buttons. */
  button_url: string
  unsubscribe?: { label: string; url: string }
}
