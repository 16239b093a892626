const bucketCount = 64
const noBuckets: readonly ReadonlyMap<string, never>[] = Array.from(
  { length: bucketCount },
  () => new Map<string, never>(),
)

/**
 * A map that is never changed: `with` gives a new one and copies only the small part in which the key lies. Copying a
 * plain object for each of 10,000 moves among 1,000 stories made a replay take seconds.
 */
export class PersistentMap<V> {
  readonly buckets: readonly ReadonlyMap<string, V>[]

  constructor(buckets: readonly ReadonlyMap<string, V>[] = noBuckets) {
    this.buckets = buckets
  }

  get(key: string): V | undefined {
    return this.buckets[bucketOf(key)]?.get(key)
  }

  with(key: string, value: V): PersistentMap<V> {
    const index = bucketOf(key)
    return new PersistentMap(this.buckets.with(index, new Map(this.buckets[index]).set(key, value)))
  }

  /** In no particular order. */
  entries(): [string, V][] {
    return this.buckets.flatMap((bucket) => [...bucket])
  }
}

function bucketOf(key: string): number {
  let hash = 0
  for (let index = 0; index < key.length; index++) hash = (hash * 31 + key.charCodeAt(index)) | 0
  return (hash >>> 0) % bucketCount
}
