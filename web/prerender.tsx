import { renderToStringAsync } from 'preact-render-to-string'
import { App } from './app.tsx'
import { landingTexts } from './landing/texts.ts'
import { LOCALES, type Locale, locale } from './text/locale.ts'

/** The landing page as visitors see it before its script has loaded. */
export interface Prerendered {
  locale: Locale
  title: string
  description: string
  /** Content of the element #app. */
  html: string
}

/** Renders the landing page in every language. Runs in Node during the build (dev/prerender.ts). */
export async function prerenderLanding(): Promise<Prerendered[]> {
  const pages: Prerendered[] = []
  for (const each of LOCALES) {
    locale.value = each
    // The first rendering only loads the scripts of the page.
    await renderToStringAsync(<App />)
    pages.push({ locale: each, ...landingTexts(), html: await renderToStringAsync(<App />) })
  }
  return pages
}
