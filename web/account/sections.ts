import type { ComponentType } from 'preact'
import { lazyPart } from '../shell/lazy-page.tsx'
import { defineTexts } from '../text/define-texts.ts'

const texts = defineTexts({
  en: {
    overview: 'Overview',
    keys: 'API keys',
    security: 'Sign-in and security',
    emails: 'Emails',
    data: 'Your data',
  },
  uk: {
    overview: 'Огляд',
    keys: 'Ключі API',
    security: 'Вхід і безпека',
    emails: 'Листи',
    data: 'Ваші дані',
  },
  ru: {
    overview: 'Обзор',
    keys: 'Ключи API',
    security: 'Вход и безопасность',
    emails: 'Письма',
    data: 'Ваши данные',
  },
})

export interface Section {
  /** Last part of the address, /account/:section; empty for the first section, at /account. */
  slug: string
  title: string
  component: ComponentType
}

const COMPONENTS = {
  overview: lazyPart(() => import('./overview/overview.tsx')),
  keys: lazyPart(() => import('./keys/keys.tsx')),
  security: lazyPart(() => import('./security/security.tsx')),
  emails: lazyPart(() => import('./emails.tsx')),
  data: lazyPart(() => import('./data/data.tsx')),
}

/** Returns the sections of the account page in order. Billing belongs after the overview. */
export function listSections(): Section[] {
  const t = texts()
  return [
    { slug: '', title: t.overview, component: COMPONENTS.overview },
    { slug: 'keys', title: t.keys, component: COMPONENTS.keys },
    { slug: 'security', title: t.security, component: COMPONENTS.security },
    { slug: 'emails', title: t.emails, component: COMPONENTS.emails },
    { slug: 'data', title: t.data, component: COMPONENTS.data },
  ]
}
