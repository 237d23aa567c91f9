// The page's script: sorting, filtering, evidence on a click. It sets text only, never markup, so that no log can
// become part of the page.
#include "analyzer/audit/html_audit_writer.h"

namespace autotune {

const std::string_view kPageScript = R"js(
'use strict';
(() => {
  const table = document.querySelector('table.runs');
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const evidence = JSON.parse(document.getElementById('evidence').textContent);
  const number = new Map(rows.map((row, i) => [row, i]));
  const details = new Map();

  const add = (parent, tag, text, kind) => {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (kind) node.className = kind;
    parent.append(node);
    return node;
  };
  const pair = (list, name, value) => {
    if (!value) return;
    add(list, 'dt', name);
    add(list, 'dd', value);
  };

  function makeDetail(e) {
    const row = document.createElement('tr');
    row.className = 'detail';
    const cell = add(row, 'td');
    cell.colSpan = 9;
    add(cell, 'p', e.a, 'answer');
    for (const s of e.s) {
      const one = add(cell, 'div', undefined, 'suspect');
      const head = add(one, 'h3', s.n + ' ');
      add(head, 'span', s.c + ', ' + s.b);
      if (s.w) add(one, 'p', s.w);
      const list = add(one, 'dl');
      pair(list, 'manifest', s.x);
      pair(list, 'this run', s.o);
      pair(list, 'see', s.p);
      if (s.f) add(one, 'pre', s.f);
    }
    const facts = add(cell, 'dl');
    pair(facts, 'judged by', e.m || 'no manifest');
    pair(facts, 'GPU', e.g);
    pair(facts, 'lines', String(e.l));
    pair(facts, 'benchmarking', e.t[0]);
    pair(facts, 'precompiling', e.t[1]);
    pair(facts, 'prescreening', e.t[2]);
    if (e.p.length) {
      const list = add(cell, 'ul');
      for (const [title, blocks, seconds] of e.p) {
        const item = add(list, 'li');
        add(item, 'span', title, 'code');
        add(item, 'span', ' ' + blocks + (seconds ? ', ' + seconds : ''), 'dim');
      }
      if (e.q > e.p.length) add(list, 'li', 'and ' + (e.q - e.p.length) + ' more', 'dim');
    }
    if (e.n.length) {
      const list = add(cell, 'ul', undefined, 'dim');
      for (const note of e.n) add(list, 'li', note);
    }
    return row;
  }

  function toggle(row) {
    const button = row.querySelector('button');
    const open = details.get(row);
    if (open) {
      open.remove();
      details.delete(row);
    } else {
      const detail = makeDetail(evidence[number.get(row)]);
      details.set(row, detail);
      row.after(detail);
    }
    button.setAttribute('aria-expanded', String(!open));
  }
  body.addEventListener('click', event => {
    const row = event.target.closest('tr[data-state]');
    if (row && !String(getSelection())) toggle(row);
  });

  const find = document.getElementById('find');
  const shown = document.getElementById('shown');
  const texts = rows.map(row => row.textContent.toLowerCase());
  let state = '';
  function filter() {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    rows.forEach((row, i) => {
      const fits = (!state || row.dataset.state === state) && words.every(word => texts[i].includes(word));
      row.hidden = !fits;
      const detail = details.get(row);
      if (detail) detail.hidden = !fits;
      count += fits;
    });
    shown.value = count === rows.length ? '' : count + ' of ' + rows.length;
  }
  find.addEventListener('input', filter);
  const states = document.querySelectorAll('.states button');
  for (const button of states) {
    button.addEventListener('click', () => {
      state = button.dataset.state;
      for (const other of states) other.setAttribute('aria-pressed', String(other === button));
      filter();
    });
  }

  const heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const numeric = head.dataset.kind === 'number';
      const first = numeric ? 'descending' : 'ascending';
      const order = head.getAttribute('aria-sort') !== first ? first : numeric ? 'ascending' : 'descending';
      for (const other of heads) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', order);
      const value = row => {
        const cell = row.cells[column];
        return numeric ? Number(cell.dataset.v ?? cell.textContent) : cell.textContent;
      };
      const keyed = rows.map((row, i) => ({ row, i, key: value(row) }));
      const sign = order === 'ascending' ? 1 : -1;
      keyed.sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) || a.i - b.i);
      const all = document.createDocumentFragment();
      for (const { row } of keyed) {
        all.append(row);
        if (details.has(row)) all.append(details.get(row));
      }
      body.append(all);
    });
  });
  document.querySelector('.tools').hidden = false;
  if (rows.length === 1) toggle(rows[0]);
})();
)js";

}  // namespace autotune
