import { useState } from 'preact/hooks'
import { CopyButton } from '../design/copy-button.tsx'
import { Segmented } from '../design/segmented.tsx'
import { defineTexts } from '../text/define-texts.ts'
import styles from './landing.module.css'
import { Section } from './section.tsx'
import { SNIPPETS, type SnippetName } from './snippets.ts'

const texts = defineTexts({
  en: {
    title: 'For developers',
    lead: 'Everything on these pages uses the public API. There is a client for TypeScript, and a command line.',
    language: 'Language',
    command: 'Command line',
    copy: 'Copy the code',
    start: 'Quick start',
    operations: 'All operations',
    reference: 'API reference',
  },
  uk: {
    title: 'Для розробників',
    lead: 'Усе на цих сторінках працює через відкритий API. Є клієнт для TypeScript і командний рядок.',
    language: 'Мова',
    command: 'Командний рядок',
    copy: 'Скопіювати код',
    start: 'Швидкий старт',
    operations: 'Усі операції',
    reference: 'Довідник API',
  },
  ru: {
    title: 'Для разработчиков',
    lead: 'Все на этих страницах работает через открытый API. Есть клиент для TypeScript и командная строка.',
    language: 'Язык',
    command: 'Командная строка',
    copy: 'Скопировать код',
    start: 'Быстрый старт',
    operations: 'Все операции',
    reference: 'Справочник API',
  },
})

/** The same call with curl, in TypeScript, and on the command line. */
export function Developers() {
  const t = texts()
  const [name, setName] = useState<SnippetName>('curl')
  const code = SNIPPETS[name](location.origin)
  const options = [
    { value: 'curl', label: 'curl' },
    { value: 'typescript', label: 'TypeScript' },
    { value: 'command', label: t.command },
  ]
  return (
    <Section title={t.title} lead={t.lead}>
      <Segmented
        label={t.language}
        options={options}
        value={name}
        onChange={(value) => setName(value as SnippetName)}
      />
      <div class={styles.code}>
        <pre>
          <code>{code}</code>
        </pre>
        <CopyButton text={code} label={t.copy} isIconOnly />
      </div>
      <p class={styles.links}>
        <a href="/docs/quick-start">{t.start}</a>
        <a href="/docs/operations">{t.operations}</a>
        <a href="/docs/endpoints">{t.reference}</a>
      </p>
    </Section>
  )
}
