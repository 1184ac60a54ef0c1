import { ArrowDown, ArrowUp, GripVertical, SlidersHorizontal, X } from 'lucide-preact'
import { useRef, useState } from 'preact/hooks'
import { IconButton } from '../design/button.tsx'
import { classes } from '../design/classes.ts'
import { OperationForm } from '../studio/form/operation-form.tsx'
import type { Tool } from '../studio/tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import type { ChainStep, StepFault } from './chain.ts'
import styles from './step-row.module.css'
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
  onMove: (from: number, to: number) => void
  onChange: (params: ChainStep['params']) => void
  onRemove: () => void
}

/** A step of a chain: dragged by its handle or moved by its buttons, with settings that unfold. */
export function StepRow({ step, tool, index, count, fault, onMove, onChange, onRemove }: StepRowProps) {
  const t = texts()
  const row = useRef<HTMLLIElement>(null)
  const handle = useRef<HTMLSpanElement>(null)
  const [isOpen, setOpen] = useState(false)
  const edge = useSortable({ row, handle, list: 'chain', index, onMove })
  const title = tool?.title ?? step.operation_key
  return (
    <li ref={row} class={classes(styles.row, edge && styles[edge])}>
      <span ref={handle} class={styles.handle} aria-hidden>
        <GripVertical size={20} />
      </span>
      <span class={styles.number}>{index + 1}</span>
      <span class={styles.title}>{title}</span>
      <span class={styles.actions}>
        {tool !== null && tool.config.fields.length > 0 && (
          <IconButton label={t.settings(title)} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <SlidersHorizontal size={18} aria-hidden />
          </IconButton>
        )}
        <IconButton label={t.up(title)} disabled={index === 0} onClick={() => onMove(index, index - 1)}>
          <ArrowUp size={18} aria-hidden />
        </IconButton>
        <IconButton
          label={t.down(title)}
          disabled={index === count - 1}
          onClick={() => onMove(index, index + 1)}
        >
          <ArrowDown size={18} aria-hidden />
        </IconButton>
        <IconButton label={t.remove(title)} onClick={onRemove}>
          <X size={18} aria-hidden />
        </IconButton>
      </span>
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
            onChange={onChange}
            showsFaults={fault === 'invalid'}
          />
        </div>
      )}
    </li>
  )
}
