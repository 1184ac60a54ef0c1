import { effect, untracked } from '@preact/signals'
import { queries } from '../api/media.ts'
import { activity } from '../shell/title.ts'
import { findTool, nameOf, type Tool } from '../studio/tools.ts'
import { items } from '../studio/workspace/items.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatCount, formatPercent } from '../text/format.ts'
import { locale } from '../text/locale.ts'
import { notify } from './notifications.ts'
import { findChanges, type NamedRun, type RunChanges } from './run-changes.ts'

const texts = defineTexts({
  en: {
    done: (what: string) => `Done · ${what}`,
    failed: (what: string) => `Failed · ${what}`,
    jobs: (count: number) => formatCount(count, { one: '# job', other: '# jobs' }),
  },
  uk: {
    done: (what: string) => `Готово · ${what}`,
    failed: (what: string) => `Помилка · ${what}`,
    jobs: (count: number) =>
      formatCount(count, { one: '# завдання', few: '# завдання', many: '# завдань', other: '# завдання' }),
  },
  ru: {
    done: (what: string) => `Готово · ${what}`,
    failed: (what: string) => `Ошибка · ${what}`,
    jobs: (count: number) =>
      formatCount(count, { one: '# задание', few: '# задания', many: '# заданий', other: '# задания' }),
  },
})

let is_started = false

/**
 * Shows the progress of all runs in the title of the tab. While the tab is in the background, the title also keeps what
 * has finished, and notifications report it.
 */
export function announceRuns(): void {
  if (is_started) return
  is_started = true
  let open_before: ReadonlySet<string> = new Set()
  effect(() => {
    const changes = findChanges(listRuns(), open_before)
    open_before = new Set(changes.open.map(({ run }) => run.id))
    untracked(() => announce(changes))
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && open_before.size === 0) activity.value = null
  })
}

function announce({ open, ended, fraction }: RunChanges): void {
  if (open.length > 0) activity.value = `${formatPercent(fraction)} · ${describe(open)}`
  else if (!document.hidden) activity.value = null
  else if (ended.length > 0) activity.value = describeEnd(ended)
  if (document.hidden) for (const each of ended) notify(describeEnd([each]), each.name, each.run.id)
}

function listRuns(): NamedRun[] {
  return items.value.flatMap(({ name, runs }) => runs.value.map((run) => ({ name, run })))
}

function describeEnd(ended: readonly NamedRun[]): string {
  const isDone = ended.some(({ run }) => run.job?.status === 'done')
  return isDone ? texts().done(describe(ended)) : texts().failed(describe(ended))
}

/** Names the operation, or counts the jobs if there are several operations. */
function describe(runs: readonly NamedRun[]): string {
  const [first] = runs
  const names = new Set(runs.map(({ run }) => nameOf(run.operation)))
  if (first === undefined || names.size > 1) return texts().jobs(runs.length)
  const tools = queries.getQueryData<Tool[]>(['tools', locale.value]) ?? []
  return findTool(tools, nameOf(first.run.operation))?.title ?? texts().jobs(runs.length)
}
