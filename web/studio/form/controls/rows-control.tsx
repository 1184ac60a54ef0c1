import { ArrowDown, ArrowUp, Plus, X } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button, IconButton } from '../../../design/button.tsx'
import { FieldGroup } from '../../../design/field.tsx'
import { defineTexts } from '../../../text/define-texts.ts'
import { type Params, withParam } from '../form-fields.ts'
import { type ControlProps, notesOf } from './control-props.ts'
import styles from './controls.module.css'

const texts = defineTexts({
  en: {
    add: 'Add',
    row: (number: number) => `No. ${number}`,
    up: (number: number) => `Move no. ${number} up`,
    down: (number: number) => `Move no. ${number} down`,
    remove: (number: number) => `Remove no. ${number}`,
  },
  uk: {
    add: 'Додати',
    row: (number: number) => `№ ${number}`,
    up: (number: number) => `Перемістити № ${number} вгору`,
    down: (number: number) => `Перемістити № ${number} вниз`,
    remove: (number: number) => `Прибрати № ${number}`,
  },
  ru: {
    add: 'Добавить',
    row: (number: number) => `№ ${number}`,
    up: (number: number) => `Переместить № ${number} вверх`,
    down: (number: number) => `Переместить № ${number} вниз`,
    remove: (number: number) => `Убрать № ${number}`,
  },
})

interface RowsProps extends ControlProps {
  /** Returns the fields of one entry. */
  renderRow: (
    row: Params,
    index: number,
    onChange: (key: string, value: unknown) => void,
  ) => ComponentChildren
}

/** Entries that have fields of their own, such as audio tracks. */
export function RowsControl(props: RowsProps) {
  const t = texts()
  const { field, value, onChange, renderRow } = props
  // A required list shows its first entry, which exists once something is entered.
  const rows = (Array.isArray(value) ? value : field.required ? [{}] : []) as Params[]
  const [known, setKeys] = useState<number[]>([])
  const keys = known.length === rows.length ? known : rows.map((_, index) => index)
  const change = (change_list: <Entry>(list: readonly Entry[]) => Entry[]) => {
    setKeys(change_list(keys))
    onChange(change_list(rows))
  }
  const move = (from: number, to: number) =>
    change((list) => {
      const [moved] = list.slice(from, from + 1)
      return moved === undefined ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, moved)
    })
  const remove = (index: number) => change((list) => list.toSpliced(index, 1))
  const add = () => {
    setKeys([...keys, Math.max(-1, ...keys) + 1])
    onChange([...rows, {}])
  }
  return (
    <FieldGroup {...notesOf(props)}>
      <ol class={styles.rows}>
        {rows.map((row, index) => {
          const number = index + 1
          return (
            <li key={keys[index]} class={styles.row}>
              <div class={styles['row-header']}>
                <strong>{t.row(number)}</strong>
                <IconButton
                  label={t.up(number)}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <ArrowUp size={18} aria-hidden />
                </IconButton>
                <IconButton
                  label={t.down(number)}
                  disabled={number === rows.length}
                  onClick={() => move(index, index + 1)}
                >
                  <ArrowDown size={18} aria-hidden />
                </IconButton>
                <IconButton label={t.remove(number)} onClick={() => remove(index)}>
                  <X size={18} aria-hidden />
                </IconButton>
              </div>
              {renderRow(row, index, (key, next) => onChange(rows.with(index, withParam(row, key, next))))}
            </li>
          )
        })}
      </ol>
      <Button disabled={rows.length >= (field.max ?? rows.length + 1)} onClick={add}>
        <Plus size={18} aria-hidden />
        {t.add}
      </Button>
    </FieldGroup>
  )
}
