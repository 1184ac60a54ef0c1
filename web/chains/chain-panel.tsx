import { useState } from 'preact/hooks'
import { isSignedIn } from '../api/session.ts'
import { Button } from '../design/button.tsx'
import { Card, ErrorNotice } from '../design/surfaces.tsx'
import { AsCode } from '../results/as-code.tsx'
import { QuoteLine, QuoteWarnings, refuseUnpaid } from '../studio/quote/quote-line.tsx'
import { useQuote } from '../studio/quote/use-quote.ts'
import { useStart } from '../studio/start-notice.tsx'
import type { Tool } from '../studio/tools.ts'
import type { WorkItem } from '../studio/workspace/items.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatCount } from '../text/format.ts'
import { findStepFaults, operationOf, sentChain } from './chain.ts'
import styles from './chain-panel.module.css'
import { chain } from './current-chain.ts'
import { SaveTemplate } from './save-template.tsx'
import { StepList } from './step-list.tsx'

const texts = defineTexts({
  en: {
    title: 'Chain',
    about: 'Several tools in a row, as one job at one price. Drag the steps into order.',
    back: 'All tools',
    start: (count: number) => `Start · ${formatCount(count, { one: '# file', other: '# files' })}`,
    no_files: 'Add files that the first step accepts.',
    save: 'Save as template',
  },
  uk: {
    title: 'Ланцюжок',
    about:
      'Кілька інструментів поспіль як одне завдання за одну ціну. Перетягніть кроки в потрібному порядку.',
    back: 'Усі інструменти',
    start: (count: number) =>
      `Почати · ${formatCount(count, { one: '# файл', few: '# файли', many: '# файлів', other: '# файлу' })}`,
    no_files: 'Додайте файли, які приймає перший крок.',
    save: 'Зберегти як шаблон',
  },
  ru: {
    title: 'Цепочка',
    about: 'Несколько инструментов подряд как одно задание по одной цене. Перетащите шаги в нужном порядке.',
    back: 'Все инструменты',
    start: (count: number) =>
      `Начать · ${formatCount(count, { one: '# файл', few: '# файла', many: '# файлов', other: '# файла' })}`,
    no_files: 'Добавьте файлы, которые принимает первый шаг.',
    save: 'Сохранить как шаблон',
  },
})

interface ChainPanelProps {
  tools: readonly Tool[]
  items: readonly WorkItem[]
  onBack: () => void
}

/** Builds a chain of operations, runs it on the inputs, and saves it as a template. */
export default function ChainPanel({ tools, items, onBack }: ChainPanelProps) {
  const t = texts()
  const [isSaving, setSaving] = useState(false)
  const sent = sentChain(chain.value, tools)
  const operation = operationOf(sent)
  const targets = items.filter(({ kind }) => kind === operation?.service_slug)
  const is_ready = findStepFaults(chain.value, tools).every((fault) => fault === null)
  const quote = useQuote(targets, is_ready ? operation : null)
  const { start, notice } = useStart(targets, operation)
  return (
    <Card class={styles.panel}>
      <header class={styles.header}>
        <h2>{t.title}</h2>
        <Button look="plain" onClick={onBack}>
          {t.back}
        </Button>
      </header>
      <p class={styles.about}>{t.about}</p>
      <StepList tools={tools} />
      <QuoteWarnings total={quote.total} />
      {quote.error !== null && <ErrorNotice error={quote.error} />}
      {notice}
      {operation !== null && targets.length > 0 && (
        <QuoteLine total={quote.total} isPending={quote.isFetching} />
      )}
      {operation !== null && (
        <div class={styles.actions}>
          <Button
            look="primary"
            disabled={targets.length === 0 || !is_ready}
            onClick={start}
            {...refuseUnpaid(quote.total)}
          >
            {t.start(targets.length)}
          </Button>
          {isSignedIn.value && (
            <Button disabled={!is_ready} onClick={() => setSaving(true)}>
              {t.save}
            </Button>
          )}
          {is_ready && <AsCode operation={operation} />}
        </div>
      )}
      {operation !== null && targets.length === 0 && <p class={styles.about}>{t.no_files}</p>}
      {isSaving && <SaveTemplate chain={sent} onClose={() => setSaving(false)} />}
    </Card>
  )
}
