import { useEffect, useRef, useState } from 'preact/hooks'
import { useConfig } from '../api/config.ts'
import { locale } from '../text/locale.ts'
import styles from './auth-page.module.css'

/** The form that a captcha is for. The service accepts it for no other (edge/accounts/captcha-client.ts). */
type CaptchaAction = 'register' | 'login' | 'reset'

interface Turnstile {
  render(
    element: HTMLElement,
    options: { sitekey: string; action: CaptchaAction; language: string; callback: (token: string) => void },
  ): string
  remove(widget: string): void
}

declare global {
  interface Window {
    turnstile?: Turnstile
  }
}

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'
let loading: Promise<void> | null = null

/** Loads the script of the captcha once. */
function loadTurnstile(): Promise<void> {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = SCRIPT
    script.onload = () => resolve()
    script.onerror = () => {
      // The next page can try again.
      loading = null
      reject(new Error(`${SCRIPT} did not load`))
    }
    document.head.append(script)
  })
  return loading
}

interface CaptchaProps {
  siteKey: string
  action: CaptchaAction
  onToken: (token: string) => void
}

function Captcha({ siteKey, action, onToken }: CaptchaProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let widget: string | null = null
    let isGone = false
    const show = () => {
      if (isGone || place.current === null) return
      const options = { sitekey: siteKey, action, language: locale.value, callback: onToken }
      widget = window.turnstile?.render(place.current, options) ?? null
    }
    // Without the captcha, the service refuses the request and says why.
    loadTurnstile().then(show, () => undefined)
    return () => {
      isGone = true
      if (widget !== null) window.turnstile?.remove(widget)
    }
  }, [siteKey])
  return <div ref={place} class={styles.captcha} />
}

/**
 * Provides the captcha of a form, if the service requires one.
 * @returns the widget, and a function that sends a request with the token; after a failure it asks for a new token,
 * because each works once
 */
export function useCaptcha(action: CaptchaAction) {
  const site_key = useConfig().data?.captcha_site_key ?? null
  const token = useRef<string | null>(null)
  const [round, setRound] = useState(0)
  async function sendWithCaptcha<Answer>(
    send: (fields: { captcha_token?: string }) => Promise<Answer>,
  ): Promise<Answer> {
    const { current } = token
    // The service says that the captcha is missing. Starting it over would undo what the user has begun.
    if (current === null) return send({})
    try {
      return await send({ captcha_token: current })
    } finally {
      token.current = null
      setRound((last) => last + 1)
    }
  }
  const onToken = (solved: string) => {
    token.current = solved
  }
  const captcha =
    site_key === null ? null : <Captcha key={round} siteKey={site_key} action={action} onToken={onToken} />
  return { captcha, sendWithCaptcha }
}
