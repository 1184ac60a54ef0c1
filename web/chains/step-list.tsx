import { useCallback, useRef, useState } from 'preact/hooks'
import { Button } from '../design/button.tsx'
import { SelectField } from '../design/field.tsx'
import { toolOptions } from '../studio/tool-options.ts'
import { findTool, nameOf, type Tool } from '../studio/tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import { findStepFaults, makeCommonStep, moveStep, toolsToAdd } from './chain.ts'
import { chain } from './current-chain.ts'
import { useStepFocus } from './step-focus.ts'
import styles from './step-list.module.css'
import { StepRow } from './step-row.tsx'

const texts = defineTexts({
  en: { steps: 'Steps', next: 'Next step', add: 'Add step', choose: 'Choose a tool' },
  uk: { steps: 'Кроки', next: 'Наступний крок', add: 'Додати крок', choose: 'Виберіть інструмент' },
  ru: { steps: 'Шаги', next: 'Следующий шаг', add: 'Добавить шаг', choose: 'Выберите инструмент' },
})

/** The steps of the chain, and the choice of the next one. The settings of one step are open at a time. */
export function StepList({ tools }: { tools: readonly Tool[] }) {
  const t = texts()
  const list = useRef<HTMLOListElement>(null)
  const focus = useStepFocus(list)
  const [opened, setOpened] = useState<string | null>(null)
  const faults = findStepFaults(chain.value, tools)
  const move = useCallback((from: number, to: number) => {
    chain.value = moveStep(chain.value, from, to)
  }, [])
  const remove = (index: number) => {
    const rest = chain.value.filter((_, each) => each !== index)
    focus((rest[index] ?? rest.at(-1))?.id ?? null, 'remove')
    chain.value = rest
  }
  const add = (tool: Tool) => {
    const step = makeCommonStep(tool)
    setOpened(step.id)
    focus(step.id, 'settings')
    chain.value = [...chain.value, step]
  }
  return (
    <>
      <ol ref={list} class={styles.list} aria-label={t.steps}>
        {chain.value.map((step, index) => {
          const tool = findTool(tools, nameOf(step))
          return (
            <StepRow
              key={step.id}
              {...{
                ...{ step, tool, index },
                count: chain.value.length,
                fault: faults[index] ?? null,
                isOpen: opened === step.id,
                onMove: move,
              }}
              onToggle={() => setOpened(opened === step.id ? null : step.id)}
              onShift={(by) => {
                focus(step.id, by < 0 ? 'up' : 'down')
                move(index, index + by)
              }}
              onChange={(params) => {
                chain.value = chain.value.map((each) => (each.id === step.id ? { ...each, params } : each))
              }}
              onRemove={() => remove(index)}
            />
          )
        })}
      </ol>
      <AddStep tools={tools} onAdd={add} />
    </>
  )
}

/** A choice with a button: each key press in a closed list already changes the choice. */
function AddStep({ tools, onAdd }: { tools: readonly Tool[]; onAdd: (tool: Tool) => void }) {
  const t = texts()
  const [name, setName] = useState('')
  const addable = toolsToAdd(tools, chain.value)
  const tool = findTool(addable, name)
  return (
    <form
      class={styles.add}
      onSubmit={(event) => {
        event.preventDefault()
        if (tool === null) return
        onAdd(tool)
        setName('')
      }}
    >
      <SelectField
        label={t.next}
        options={[{ value: '', label: t.choose }]}
        groups={toolOptions(addable)}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Button type="submit" disabled={tool === null}>
        {t.add}
      </Button>
    </form>
  )
}
