/** One letter more, less, another, or two in the wrong order. @param minCharacters  a shorter word is too often near another */
export function isSimilar(word: string, name: string, minCharacters: number): boolean {
  if (word.length < minCharacters || Math.abs(word.length - name.length) > 1) return false;
  let head = 0;
  while (head < Math.min(word.length, name.length) && word[head] === name[head]) head += 1;
  const [left, right] = [word.slice(head), name.slice(head)];
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (left.slice(2) === right.slice(2) && left[0] === right[1] && left[1] === right[0])
  );
}
