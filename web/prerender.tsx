import { renderToStringAsync } from 'preact-render-to-string'
import { session } from './api/session.ts'
import { App } from './app.tsx'
import { landingTexts } from './landing/texts.ts'
import { LOCALES, type Locale, locale } from './text/locale.ts'

/** The landing page before its script has loaded. */
export interface Prerendered {
  locale: Locale
  /** As signed-in users see it. */
  is_member: boolean
  title: string
  description: string
  /** Content of the element #app. */
  html: string
}

/** What pages show does not depend on the session itself, only on whether there is one. */
const SESSION = { access_token: '', expires_at: '9999-12-31T00:00:00Z' }

/** Renders the landing page in every language, for visitors and for signed-in users. Runs in Node during the build (dev/prerender.ts). */
export async function prerenderLanding(): Promise<Prerendered[]> {
  const pages: Prerendered[] = []
  for (const each of LOCALES) {
    for (const is_member of [false, true]) {
      locale.value = each
      session.value = is_member ? SESSION : null
      // The first rendering only loads the scripts of the page.
      await renderToStringAsync(<App />)
      pages.push({ locale: each, is_member, ...landingTexts(), html: await renderToStringAsync(<App />) })
    }
  }
  return pages
}
