import { useState } from 'preact/hooks'
import { Button } from '../design/button.tsx'
import { Notice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatCount } from '../text/format.ts'
import type { WorkItem } from './workspace/items.ts'
import { isSameOperation, type Operation } from './workspace/operation.ts'
import { runOperation } from './workspace/run-items.ts'
import { findRepetition } from './workspace/schedule.ts'

const texts = defineTexts({
  en: {
    done: (count: number) =>
      formatCount(count, {
        one: '# file is already done with these settings. Its result is below.',
        other: '# files are already done with these settings. Their results are below.',
      }),
    again: 'Run again',
  },
  uk: {
    done: (count: number) =>
      formatCount(count, {
        one: '# файл уже оброблено з цими налаштуваннями. Результат нижче.',
        few: '# файли вже оброблено з цими налаштуваннями. Результати нижче.',
        many: '# файлів уже оброблено з цими налаштуваннями. Результати нижче.',
        other: '# файлу вже оброблено з цими налаштуваннями. Результати нижче.',
      }),
    again: 'Запустити знову',
  },
  ru: {
    done: (count: number) =>
      formatCount(count, {
        one: '# файл уже обработан с этими настройками. Результат ниже.',
        few: '# файла уже обработаны с этими настройками. Результаты ниже.',
        many: '# файлов уже обработаны с этими настройками. Результаты ниже.',
        other: '# файла уже обработано с этими настройками. Результаты ниже.',
      }),
    again: 'Запустить снова',
  },
})

/** What a start has left out because it was done before. */
interface Skipped {
  operation: Operation
  items: readonly WorkItem[]
}

/**
 * Starts an operation on the inputs that it is not done for.
 * @returns the start, and the notice about the others, which offers to run them again
 */
export function useStart(targets: readonly WorkItem[], operation: Operation | null) {
  const [skipped, setSkipped] = useState<Skipped | null>(null)
  const start = () => {
    if (operation === null) return
    const now_ms = Date.now()
    const items = targets.filter(({ runs }) => findRepetition(runs.value, operation, now_ms) === 'done')
    setSkipped(items.length === 0 ? null : { operation, items })
    runOperation(targets, operation)
  }
  // Once a setting is changed, the notice is about something else.
  const isCurrent = skipped !== null && operation !== null && isSameOperation(skipped.operation, operation)
  const again = () => {
    if (skipped !== null) runOperation(skipped.items, skipped.operation, true)
    setSkipped(null)
  }
  const notice = isCurrent && (
    <Notice action={<Button onClick={again}>{texts().again}</Button>}>
      {texts().done(skipped.items.length)}
    </Notice>
  )
  return { start, notice }
}
