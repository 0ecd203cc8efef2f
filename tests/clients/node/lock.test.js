'use strict';
// The life of a lock that an application wrote itself.

const assert = require('node:assert/strict');
const { beforeEach, test } = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');
const { acquireByWakeup, Lock, scripts } = require('./lock_by_hand.js');
const { shareServer } = require('./shared_server.js');

const { connect } = shareServer({ scripts });
let client;
beforeEach(() => {
  client = connect();
});

test('a lock excludes, expires with its lease and is released by its owner only', async () => {
  const holder = new Lock(client, 'lock:order', 30000);
  const rival = new Lock(connect(), 'lock:order', 30000);
  assert.ok(await holder.tryAcquire());
  assert.equal(await rival.tryAcquire(), false);
  const ttl = await client.pttl('lock:order');
  assert.ok(ttl > 29000 && ttl <= 30000);
  assert.equal(await rival.release(), 0);
  assert.equal(await holder.release(), 1);
  assert.equal(await holder.release(), 0);
  assert.ok(await rival.tryAcquire());
});

test('a stalled holder is refused and its successor unharmed', async () => {
  const stalled = new Lock(client, 'lock:order', 150);
  const successor = new Lock(connect(), 'lock:order', 30000);
  const begin = Date.now();
  assert.ok(await stalled.tryAcquire());
  while (!(await successor.tryAcquire())) {
    assert.ok(Date.now() - begin < 20000, 'the lease did not end');
    await sleep(5);
  }
  assert.ok(Date.now() - begin >= 149, 'the lease ended early');
  assert.equal(await client.renew('lock:order', stalled.token, 60000), null);
  assert.equal(await stalled.release(), 0);
  assert.equal(await client.get('lock:order'), successor.token);
});

test('renewal keeps a lock past three leases', async () => {
  const holder = new Lock(client, 'lock:order', 1500);
  const rival = new Lock(connect(), 'lock:order', 1500);
  assert.ok(await holder.tryAcquire());
  for (let i = 0; i < 16; i++) {
    await sleep(300);
    assert.equal(await client.renew('lock:order', holder.token, 1500), 1);
    assert.equal(await rival.tryAcquire(), false);
  }
  assert.equal(await holder.release(), 1);
});

test('custom commands go on when the script cache is flushed', async () => {
  const lock = new Lock(client, 'lock:order', 30000);
  for (let i = 0; i < 3; i++) {
    assert.ok(await lock.tryAcquire());
    assert.equal(await client.renew('lock:order', lock.token, 20000), 1);
    await client.script('FLUSH');
    assert.equal(await client.renew('lock:order', lock.token, 30000), 1);
    await client.script('FLUSH');
    assert.equal(await lock.release(), 1);
  }
  await assert.rejects(client.evalsha('f'.repeat(40), 0), /^ReplyError: NOSCRIPT/);
});

test('defineCommand takes and returns buffers', async () => {
  client.defineCommand('swap', {
    numberOfKeys: 1,
    lua: `local old = redis.call('get', KEYS[1]) redis.call('set', KEYS[1], ARGV[1]) return old`,
  });
  const first = Buffer.from([0, 255, 13, 10, 36]);
  const second = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  assert.equal(await client.swap('k', first), null);
  assert.deepEqual(await client.swapBuffer('k', second), first);
  assert.deepEqual(await client.getBuffer('k'), second);
});

test('workers lose no increment of an unguarded counter', async () => {
  const work = async () => {
    const connection = connect();
    const subscriber = connect();
    for (let i = 0; i < 25; i++) {
      const lock = new Lock(connection, 'lock:counter', 30000);
      await acquireByWakeup(lock, subscriber, 20000);
      const value = Number(await connection.get('counter'));
      await connection.set('counter', value + 1);
      assert.equal(await lock.release(), 1);
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  assert.equal(await client.get('counter'), '150');
});
