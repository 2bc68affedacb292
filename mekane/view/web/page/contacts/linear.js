"use strict";
// Small dense linear problems: matrices are arrays of rows.

const CONTACT_RANK = 1e-11; // of the diagonal: rows that repeat others
const SOFTENED = 1e-5; // of the diagonal: see leastSolution
const REFINED = 60; // times at most

const dotOf = (a, b) => { let sum = 0; for (let i = 0; i < a.length; i++) sum += a[i] * b[i]; return sum; };
const timesOf = (A, x) => Float64Array.from(A, (row) => dotOf(row, x));
const largestOf = (x) => { let most = 0; for (const one of x) most = Math.max(most, Math.abs(one)); return most; };

// L with L Lᵀ = A + added to the diagonal; null where rows of A repeat one another
function choleskyOf(A, added) {
  const n = A.length, L = A.map(() => new Float64Array(n));
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) {
    let sum = A[i][j] + (i === j ? added : 0);
    for (let k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
    if (i === j) {
      if (!(sum > CONTACT_RANK * A[i][i])) return null;
      L[i][i] = Math.sqrt(sum);
    } else L[i][j] = sum / L[j][j];
  }
  return L;
}

function backSubstituted(L, right) {
  const n = L.length, x = Float64Array.from(right);
  for (let i = 0; i < n; i++) { for (let k = 0; k < i; k++) x[i] -= L[i][k] * x[k]; x[i] /= L[i][i]; }
  for (let i = n - 1; i >= 0; i--) { for (let k = i + 1; k < n; k++) x[i] -= L[k][i] * x[k]; x[i] /= L[i][i]; }
  return x;
}

// right => x with A x = right, A symmetric and not negative, x the smallest where rows repeat one another: the softened solve, refined on the true A
function leastSolution(A) {
  const n = A.length;
  if (!n) return () => new Float64Array(0);
  const sure = choleskyOf(A, 0);
  let most = 1e-300;
  for (let i = 0; i < n; i++) most = Math.max(most, A[i][i]);
  const L = sure ?? choleskyOf(A.map((row, i) => row.map((x, j) => x + (i === j ? SOFTENED * most : 0))), 0);
  const solve = (right) => {
    const x = new Float64Array(n);
    for (let k = 0, before = Infinity; k < (sure ? 3 : REFINED); k++) {
      const rest = right.map((b, i) => b - dotOf(A[i], x)), left = largestOf(rest);
      if (!(left < before) || left === 0) break;
      before = left;
      backSubstituted(L, rest).forEach((change, i) => { x[i] += change; });
    }
    return x;
  };
  return Object.assign(solve, { repeats: !sure });
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
  const x = new Float64Array(n);
  for (let i = n - 1; i >= 0; i--) {
    let sum = M[i][n];
    for (let j = i + 1; j < n; j++) sum -= M[i][j] * x[j];
    x[i] = sum / M[i][i];
  }
  return x;
}

function determinantOf(A) {
  const n = A.length, M = A.map((row) => [...row]);
  let found = 1;
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(M[i][k]) > Math.abs(M[p][k])) p = i;
    if (M[p][k] === 0) return 0;
    if (p !== k) { [M[k], M[p]] = [M[p], M[k]]; found = -found; }
    found *= M[k][k];
    for (let i = k + 1; i < n; i++) { const f = M[i][k] / M[k][k]; for (let j = k; j < n; j++) M[i][j] -= f * M[k][j]; }
  }
  return found;
}
