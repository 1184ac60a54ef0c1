import { ArrowDown, ArrowUp, GripVertical, SlidersHorizontal, X } from 'lucide-preact'
import { useRef } from 'preact/hooks'
import { IconButton } from '../design/button.tsx'
import { classes } from '../design/classes.ts'
import { OperationForm } from '../studio/form/operation-form.tsx'
import type { Tool } from '../studio/tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import type { ChainStep, StepFault } from './chain.ts'
import styles from './step-row.module.css'
import { summarizeStep } from './step-summary.ts'
import { useSortable } from './use-sortable.ts'

const texts = defineTexts({
  en: {
    settings: (title: string) => `Settings: ${title}`,
    up: (title: string) => `Move up: ${title}`,
    down: (title: string) => `Move down: ${title}`,
    remove: (title: string) => `Remove: ${title}`,
    must_be_first: 'This step analyzes the file, so it must come first.',
    must_be_last: 'Nothing can follow this step. Move it to the end.',
    invalid: 'Complete the settings of this step.',
    unavailable: 'This tool is not available. Remove the step.',
  },
  uk: {
    settings: (title: string) => `Налаштування: ${title}`,
    up: (title: string) => `Перемістити вгору: ${title}`,
    down: (title: string) => `Перемістити вниз: ${title}`,
    remove: (title: string) => `Прибрати: ${title}`,
    must_be_first: 'Цей крок аналізує файл, тому має бути першим.',
    must_be_last: 'Після цього кроку не може бути інших. Перемістіть його в кінець.',
    invalid: 'Заповніть налаштування цього кроку.',
    unavailable: 'Цей інструмент недоступний. Приберіть крок.',
  },
  ru: {
    settings: (title: string) => `Настройки: ${title}`,
    up: (title: string) => `Переместить вверх: ${title}`,
    down: (title: string) => `Переместить вниз: ${title}`,
    remove: (title: string) => `Убрать: ${title}`,
    must_be_first: 'Этот шаг анализирует файл, поэтому должен быть первым.',
    must_be_last: 'После этого шага не может быть других. Переместите его в конец.',
    invalid: 'Заполните настройки этого шага.',
    unavailable: 'Этот инструмент недоступен. Уберите шаг.',
  },
})

interface StepRowProps {
  step: ChainStep
  /** Null if the service no longer offers the operation. */
  tool: Tool | null
  index: number
  count: number
  fault: StepFault
  isOpen: boolean
  onToggle: () => void
  onMove: (from: number, to: number) => void
  /** Moves the step by one place: -1 is up. */
  onShift: (by: -1 | 1) => void
  onChange: (params: ChainStep['params']) => void
  onRemove: () => void
}

/** A step of a chain: dragged by its handle or moved by its buttons, with a summary of its settings or their form. */
export function StepRow({ step, tool, index, count, fault, isOpen, onMove, ...on }: StepRowProps) {
  const t = texts()
  const row = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const edge = useSortable({ row, handle, list: 'chain', index, onMove })
  const title = tool?.title ?? step.operation_key
  const summary = tool !== null && !isOpen && summarizeStep(tool, step.params)
  return (
    <li ref={row} data-step={step.id} class={classes(styles.row, edge && styles[edge])}>
      <span ref={handle} class={styles.handle} aria-hidden>
        <GripVertical size={20} />
      </span>
      <span class={styles.number}>{index + 1}</span>
      <span class={styles.title}>{title}</span>
      <span class={styles.actions}>
        {tool !== null && tool.config.fields.length > 0 && (
          <IconButton
            label={t.settings(title)}
            data-control="settings"
            aria-expanded={isOpen}
            onClick={on.onToggle}
          >
            <SlidersHorizontal size={18} aria-hidden />
          </IconButton>
        )}
        {/* At the end of their way, the buttons keep the focus. */}
        <IconButton
          label={t.up(title)}
          data-control="up"
          aria-disabled={index === 0}
          onClick={() => index > 0 && on.onShift(-1)}
        >
          <ArrowUp size={18} aria-hidden />
        </IconButton>
        <IconButton
          label={t.down(title)}
          data-control="down"
          aria-disabled={index === count - 1}
          onClick={() => index < count - 1 && on.onShift(1)}
        >
          <ArrowDown size={18} aria-hidden />
        </IconButton>
        <IconButton label={t.remove(title)} data-control="remove" onClick={on.onRemove}>
          <X size={18} aria-hidden />
        </IconButton>
      </span>
      {summary && (
        <p class={styles.summary}>
          <bdi>{summary}</bdi>
        </p>
      )}
      {fault && (
        <p class={styles.fault} role="alert">
          {t[fault]}
        </p>
      )}
      {tool !== null && isOpen && (
        <div class={styles.form}>
          <OperationForm
            tool={tool}
            params={step.params}
            onChange={on.onChange}
            showsFaults={fault === 'invalid'}
          />
        </div>
      )}
    </li>
  )
}
