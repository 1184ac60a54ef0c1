import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { getReorderDestinationIndex } from '@atlaskit/pragmatic-drag-and-drop-hitbox/util/get-reorder-destination-index'
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

interface Sortable {
  row: RefObject<HTMLElement>
  handle: RefObject<HTMLElement>
  /** Name of the list. Rows can be dropped only within their list. */
  list: string
  index: number
  onMove: (from: number, to: number) => void
}

/**
 * Lets a row of a list be dragged to another place by its handle.
 * @returns the edge at which a dragged row would be dropped, or null
 */
export function useSortable({ row, handle, list, index, onMove }: Sortable): 'top' | 'bottom' | null {
  const [edge, setEdge] = useState<'top' | 'bottom' | null>(null)
  useEffect(() => {
    if (row.current === null || handle.current === null) return
    const showEdge = (data: Record<string | symbol, unknown>) => {
      setEdge(extractClosestEdge(data) as 'top' | 'bottom' | null)
    }
    return combine(
      draggable({
        element: row.current,
        dragHandle: handle.current,
        getInitialData: () => ({ list, index }),
      }),
      dropTargetForElements({
        element: row.current,
        canDrop: ({ source }) => source.data.list === list,
        getData: ({ input, element }) =>
          attachClosestEdge({ index }, { input, element, allowedEdges: ['top', 'bottom'] }),
        onDrag: ({ self, source }) => (source.data.index === index ? setEdge(null) : showEdge(self.data)),
        onDragLeave: () => setEdge(null),
        onDrop: ({ self, source }) => {
          setEdge(null)
          const from = source.data.index as number
          const to = getReorderDestinationIndex({
            startIndex: from,
            indexOfTarget: index,
            closestEdgeOfTarget: extractClosestEdge(self.data),
            axis: 'vertical',
          })
          if (to !== from) onMove(from, to)
        },
      }),
    )
  }, [row, handle, list, index, onMove])
  return edge
}
