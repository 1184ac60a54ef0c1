import { defineTexts } from '../text/define-texts.ts'
import { LANGUAGE_NAMES, LOCALES, type Locale, locale } from '../text/locale.ts'
import { chooseLanguage } from './choose-language.ts'
import styles from './footer.module.css'
import { chooseTheme, type Theme, theme } from './theme.ts'

const texts = defineTexts({
  en: {
    more: 'More',
    docs: 'Documentation',
    endpoints: 'API reference',
    status: 'Status',
    legal: 'Documents',
    terms: 'Terms',
    refunds: 'Refunds',
    withdraw: 'Withdraw from a purchase',
    privacy: 'Privacy',
    imprint: 'Imprint',
    language: 'Language',
    theme: 'Theme',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
  },
  uk: {
    more: 'Ще',
    docs: 'Документація',
    endpoints: 'Довідник API',
    status: 'Стан сервісу',
    legal: 'Документи',
    terms: 'Умови',
    refunds: 'Повернення коштів',
    withdraw: 'Відмова від покупки',
    privacy: 'Приватність',
    imprint: 'Про продавця',
    language: 'Мова',
    theme: 'Тема',
    system: 'Як у системі',
    light: 'Світла',
    dark: 'Темна',
  },
  ru: {
    more: 'Еще',
    docs: 'Документация',
    endpoints: 'Справочник API',
    status: 'Состояние сервиса',
    legal: 'Документы',
    terms: 'Условия',
    refunds: 'Возврат средств',
    withdraw: 'Отказ от покупки',
    privacy: 'Конфиденциальность',
    imprint: 'О продавце',
    language: 'Язык',
    theme: 'Тема',
    system: 'Как в системе',
    light: 'Светлая',
    dark: 'Темная',
  },
})

/** Links that few people need, and the settings of the page: its language and its theme. */
export function Footer() {
  const t = texts()
  const themes: [Theme, string][] = [
    ['system', t.system],
    ['light', t.light],
    ['dark', t.dark],
  ]
  return (
    <footer class={styles.bar}>
      <div class={styles.inner}>
        <nav class={styles.links} aria-label={t.more}>
          <a href="/docs">{t.docs}</a>
          <a href="/docs/endpoints">{t.endpoints}</a>
          <a href="/status">{t.status}</a>
        </nav>
        <nav class={styles.links} aria-label={t.legal}>
          <a href="/terms">{t.terms}</a>
          <a href="/refunds">{t.refunds}</a>
          <a href="/billing/withdraw">{t.withdraw}</a>
          <a href="/privacy">{t.privacy}</a>
          <a href="/imprint">{t.imprint}</a>
        </nav>
        <label>
          {t.language}
          {/* Without the attribute, browsers select what was selected before a reload, whatever was chosen since. */}
          <select
            autocomplete="off"
            value={locale.value}
            onChange={({ currentTarget }) => void chooseLanguage(currentTarget.value as Locale)}
          >
            {LOCALES.map((each) => (
              <option key={each} value={each} lang={each} selected={each === locale.value}>
                {LANGUAGE_NAMES[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {t.theme}
          <select
            autocomplete="off"
            value={theme.value}
            onChange={({ currentTarget }) => chooseTheme(currentTarget.value as Theme)}
          >
            {themes.map(([value, label]) => (
              <option key={value} value={value} selected={value === theme.value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
    </footer>
  )
}
