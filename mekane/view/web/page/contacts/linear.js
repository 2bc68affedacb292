"use strict";
// Small dense linear problems: matrices are arrays of rows.

const CONTACT_RANK = 1e-11; // of the diagonal: rows that repeat others
const REFINED = 1; // times

const zerosOf = (n) => new Array(n).fill(0); // plain arrays: many small ones are made, which typed ones are slow at
const dotOf = (a, b) => { let sum = 0; for (let i = 0; i < a.length; i++) sum += a[i] * b[i]; return sum; };
const timesOf = (A, x) => A.map((row) => dotOf(row, x));
const largestOf = (x) => { let most = 0; for (const one of x) most = Math.max(most, Math.abs(one)); return most; };

// L with L Lᵀ = A, of as many columns as there are rows that do not repeat others: the largest pivot first
function choleskyOf(A) {
  const n = A.length, L = A.map(() => []), left = A.map((row, i) => row[i]), most = Math.max(1e-300, ...left), order = A.map((_, i) => i);
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k + 1; i < n; i++) if (left[order[i]] > left[order[p]]) p = i;
    [order[k], order[p]] = [order[p], order[k]];
    const row = order[k];
    if (!(left[row] > CONTACT_RANK * most)) break;
    const pivot = Math.sqrt(left[row]);
    for (let i = k; i < n; i++) {
      const other = order[i];
      let sum = A[other][row];
      for (let j = 0; j < k; j++) sum -= L[other][j] * L[row][j];
      L[other][k] = i === k ? pivot : sum / pivot;
      if (i > k) left[other] -= L[other][k] ** 2;
    }
    for (let i = 0; i < k; i++) L[order[i]][k] = 0;
  }
  return { L, order };
}

function backSubstituted(L, right) {
  const n = L.length, x = Array.from(right);
  for (let i = 0; i < n; i++) { for (let k = 0; k < i; k++) x[i] -= L[i][k] * x[k]; x[i] /= L[i][i]; }
  for (let i = n - 1; i >= 0; i--) { for (let k = i + 1; k < n; k++) x[i] -= L[k][i] * x[k]; x[i] /= L[i][i]; }
  return x;
}

// right => x with A x = right, A symmetric and not negative, x the smallest where rows repeat one another: A = L Lᵀ, x = L (LᵀL)⁻² Lᵀ right, refined
function leastSolution(A) {
  const n = A.length;
  if (!n) return () => [];
  const { L, order } = choleskyOf(A), rank = L[order[0]].length, repeats = rank < n;
  const triangle = repeats ? null : order.map((i) => L[i]), normal = repeats && rank ? ordinaryCholesky(normalOf(L, rank)) : null;
  const once = (right) => {
    if (!rank) return zerosOf(n);
    if (!repeats) {
      const x = zerosOf(n);
      backSubstituted(triangle, order.map((i) => right[i])).forEach((value, k) => { x[order[k]] = value; });
      return x;
    }
    const z = backSubstituted(normal, backSubstituted(normal, zerosOf(rank).map((_, j) => L.reduce((sum, row, i) => sum + row[j] * right[i], 0))));
    return L.map((row) => dotOf(row, z));
  };
  const solve = (right) => {
    const x = once(right);
    for (let k = 0; k < REFINED; k++) once(right.map((b, i) => b - dotOf(A[i], x))).forEach((change, i) => { x[i] += change; });
    return x;
  };
  return Object.assign(solve, { repeats });
}

const normalOf = (L, rank) => zerosOf(rank).map((_, i) => zerosOf(rank).map((__, j) => L.reduce((sum, row) => sum + row[i] * row[j], 0)));

function ordinaryCholesky(A) {
  const n = A.length, L = A.map(() => zerosOf(n));
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) {
    let sum = A[i][j];
    for (let k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
    L[i][j] = i === j ? Math.sqrt(Math.max(sum, 1e-300)) : sum / L[j][j];
  }
  return L;
}

// x with A x = right by Gauss; null where A is singular
function gaussSolution(A, right) {
  const n = A.length, M = A.map((row, i) => [...row, right[i]]);
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(M[i][k]) > Math.abs(M[p][k])) p = i;
    if (!(Math.abs(M[p][k]) > 1e-14 * largestOf(A[p]))) return null;
    [M[k], M[p]] = [M[p], M[k]];
    for (let i = k + 1; i < n; i++) {
      const f = M[i][k] / M[k][k];
      if (f !== 0) for (let j = k; j <= n; j++) M[i][j] -= f * M[k][j];
    }
  }
  const x = zerosOf(n);
  for (let i = n - 1; i >= 0; i--) {
    let sum = M[i][n];
    for (let j = i + 1; j < n; j++) sum -= M[i][j] * x[j];
    x[i] = sum / M[i][i];
  }
  return x;
}

// of Gauss without exchange of rows
function pivotsOf(A) {
  const n = A.length, M = A.map((row) => [...row]);
  for (let k = 0; k < n; k++) for (let i = k + 1; i < n; i++) {
    const f = M[i][k] / M[k][k];
    for (let j = k; j < n; j++) M[i][j] -= f * M[k][j];
  }
  return M.map((row, k) => row[k]);
}
