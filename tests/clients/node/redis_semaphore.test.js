'use strict';
// redis-semaphore: a mutex on a string, semaphores on sorted sets, and their quorums.

const assert = require('node:assert/strict');
const { beforeEach, test } = require('node:test');
const { setTimeout: sleep } = require('node:timers/promises');
const semaphores = require('redis-semaphore');
const { eventually, shareServer } = require('./shared_server.js');

const { Mutex, MultiSemaphore, RedlockMutex, RedlockSemaphore, Semaphore } = semaphores;
const { connect } = shareServer();
const once = { acquireAttemptsLimit: 1, refreshInterval: 0, lockTimeout: 30000 };
const patient = { acquireTimeout: 20000, refreshInterval: 0, lockTimeout: 30000 };
let client;
let rival;
beforeEach(() => {
  client = connect();
  rival = connect();
});

test('a mutex excludes, and is released by its owner only', async () => {
  const holder = new Mutex(client, 'order', once);
  const other = new Mutex(rival, 'order', once);
  assert.ok(await holder.tryAcquire());
  assert.equal(await other.tryAcquire(), false);
  assert.equal(await client.get('mutex:order'), holder.identifier);
  const remaining = await client.pttl('mutex:order');
  assert.ok(remaining > 20000 && remaining <= 30000);
  await other.release();
  assert.equal(await client.get('mutex:order'), holder.identifier);
  await holder.release();
  assert.equal(await client.exists('mutex:order'), 0);
  assert.ok(await other.tryAcquire());
});

test('whoever waits gives up in time, or gets it at the release', async () => {
  const holder = new Mutex(client, 'order', once);
  await holder.acquire();
  const begin = Date.now();
  await assert.rejects(new Mutex(rival, 'order', { acquireTimeout: 300 }).acquire(), semaphores.TimeoutError);
  assert.ok(Date.now() - begin >= 290);
  const waiter = new Mutex(rival, 'order', patient);
  const waiting = waiter.acquire();
  await sleep(100);
  assert.equal(waiter.isAcquired, false);
  await holder.release();
  await waiting;
  assert.equal(await client.get('mutex:order'), waiter.identifier);
});

test('a lease ends, not before its time, and its former holder harms nobody', async () => {
  const stalled = new Mutex(client, 'order', { ...once, lockTimeout: 400 });
  const next = new Mutex(rival, 'order', patient);
  const begin = Date.now();
  await stalled.acquire();
  await next.acquire();
  assert.ok(Date.now() - begin >= 399);
  await stalled.release();
  assert.equal(await client.get('mutex:order'), next.identifier);
});

test('refreshing keeps it, and a lost lock is noticed', async () => {
  const lost = [];
  const options = { lockTimeout: 1500, refreshInterval: 300, onLockLost: (e) => lost.push(e) };
  const holder = new Mutex(client, 'order', options);
  await holder.acquire();
  for (let i = 0; i < 12; i++) {
    await sleep(300);
    assert.equal(await new Mutex(rival, 'order', once).tryAcquire(), false);
  }
  assert.deepEqual(lost, []);
  await client.del('mutex:order');
  await eventually('the loss', () => lost.length === 1);
  assert.ok(lost[0] instanceof semaphores.LostLockError);
});

test('a semaphore has so many permits', async () => {
  const holders = [1, 2, 3].map(() => new Semaphore(client, 'pool', 3, once));
  for (const holder of holders) assert.ok(await holder.tryAcquire());
  const other = new Semaphore(rival, 'pool', 3, once);
  assert.equal(await other.tryAcquire(), false);
  assert.equal(await client.zcard('semaphore:pool'), 3);
  await other.release();
  assert.equal(await client.zcard('semaphore:pool'), 3);
  await holders[1].release();
  assert.ok(await other.tryAcquire());
  assert.ok(Number(await client.zscore('semaphore:pool', other.identifier)) > 1.6e12);
});

test('a permit lapses by itself', async () => {
  const stalled = new Semaphore(client, 'pool', 1, { ...once, lockTimeout: 400 });
  const next = new Semaphore(rival, 'pool', 1, { ...patient, lockTimeout: 400 });
  const begin = Date.now();
  await stalled.acquire();
  await next.acquire();
  assert.ok(Date.now() - begin >= 399);
  await next.release();
});

test('a semaphore is refreshed', async () => {
  const holder = new Semaphore(client, 'pool', 1, { lockTimeout: 1500, refreshInterval: 300 });
  await holder.acquire();
  for (let i = 0; i < 8; i++) {
    await sleep(300);
    assert.equal(await new Semaphore(rival, 'pool', 1, once).tryAcquire(), false);
  }
  await holder.release();
  assert.equal(await client.exists('semaphore:pool'), 0);
});

test('several permits at once', async () => {
  const two = new MultiSemaphore(client, 'pool', 3, 2, once);
  const other = new MultiSemaphore(rival, 'pool', 3, 2, once);
  assert.ok(await two.tryAcquire());
  assert.equal(await other.tryAcquire(), false);
  assert.ok(await new MultiSemaphore(rival, 'pool', 3, 1, once).tryAcquire());
  await two.release();
  assert.ok(await other.tryAcquire());
});

test('quorums of one', async () => {
  const mutex = new RedlockMutex([client], 'order', once);
  assert.ok(await mutex.tryAcquire());
  assert.equal(await new RedlockMutex([rival], 'order', once).tryAcquire(), false);
  await mutex.release();
  const semaphore = new RedlockSemaphore([client], 'pool', 1, once);
  assert.ok(await semaphore.tryAcquire());
  assert.equal(await new RedlockSemaphore([rival], 'pool', 1, once).tryAcquire(), false);
  await semaphore.release();
});

test('any name will do, and the script cache may be flushed', async () => {
  for (const name of ['\0\r\n$3\r\n', 'ключ-鍵', 'x'.repeat(2000)]) {
    const mutexes = [new Mutex(client, name, once), new Mutex(rival, name, once)];
    const pools = [client, rival].map((owner) => new Semaphore(owner, name, 1, once));
    for (const [lock, other] of [mutexes, pools]) {
      assert.ok(await lock.tryAcquire());
      await client.script('FLUSH');
      assert.equal(await other.tryAcquire(), false);
      await client.script('FLUSH');
      await lock.release();
    }
    assert.equal(await client.dbsize(), 0);
  }
});

test('never more inside than permits', async () => {
  let inside = 0;
  let most = 0;
  const work = async () => {
    const connection = connect();
    for (let i = 0; i < 8; i++) {
      const semaphore = new Semaphore(connection, 'pool', 2, { ...patient, retryInterval: 2 });
      await semaphore.acquire();
      most = Math.max(most, ++inside);
      await sleep(2);
      inside--;
      await semaphore.release();
    }
  };
  await Promise.all(Array.from({ length: 5 }, work));
  assert.ok(most <= 2, `${most} inside`);
});
