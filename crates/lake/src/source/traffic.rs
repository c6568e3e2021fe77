//! The client of a store: it counts requests and bytes where they leave, so also what is tried again and each page of a listing.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use async_trait::async_trait;
use http_body_util::BodyExt;
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
    ReqwestConnector,
};

/// What stores were asked over the network: requests by the kinds that price lists name, and bytes of bodies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Traffic {
    /// Pages of listings.
    pub list: u64,
    /// Objects, and ranges of objects.
    pub get: u64,
    /// Whether an object is there, or where a bucket is.
    pub head: u64,
    /// Objects written.
    pub put: u64,
    /// Objects deleted, up to a thousand by one request.
    pub delete: u64,
    /// Bytes of bodies that came.
    pub received: u64,
    /// Bytes of bodies that went.
    pub sent: u64,
}

impl Traffic {
    /// What came since `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            list: self.list - before.list,
            get: self.get - before.get,
            head: self.head - before.head,
            put: self.put - before.put,
            delete: self.delete - before.delete,
            received: self.received - before.received,
            sent: self.sent - before.sent,
        }
    }

    /// Both together.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            list: self.list + other.list,
            get: self.get + other.get,
            head: self.head + other.head,
            put: self.put + other.put,
            delete: self.delete + other.delete,
            received: self.received + other.received,
            sent: self.sent + other.sent,
        }
    }

    /// Whether nothing was asked.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Traffic {
    /// The kinds there are: `1 LIST, 7 GET, 48211 bytes received`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.list, "LIST"),
            (self.get, "GET"),
            (self.head, "HEAD"),
            (self.put, "PUT"),
            (self.delete, "DELETE"),
            (self.received, "bytes received"),
            (self.sent, "bytes sent"),
        ];
        let there = counts.iter().filter(|(count, _)| *count > 0);
        let told: Vec<String> = there.map(|(count, what)| format!("{count} {what}")).collect();
        f.write_str(if told.is_empty() { "no request" } else { "" })?;
        f.write_str(&told.join(", "))
    }
}

/// Counts for all stores that were opened with it.
#[derive(Debug, Default)]
pub(super) struct Counter {
    list: AtomicU64,
    get: AtomicU64,
    head: AtomicU64,
    put: AtomicU64,
    delete: AtomicU64,
    received: AtomicU64,
    sent: AtomicU64,
}

impl Counter {
    pub(crate) fn now(&self) -> Traffic {
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        Traffic {
            list: count(&self.list),
            get: count(&self.get),
            head: count(&self.head),
            put: count(&self.put),
            delete: count(&self.delete),
            received: count(&self.received),
            sent: count(&self.sent),
        }
    }

    /// Counts a request; whether it is for the bytes of an object.
    fn note(&self, request: &HttpRequest) -> bool {
        let asks = |what: &str| request.uri().query().is_some_and(|query| query.contains(what));
        let kind = match request.method().as_str() {
            "GET" if asks("list-type=") => &self.list,
            "GET" => &self.get,
            "HEAD" => &self.head,
            "DELETE" => &self.delete,
            "POST" if asks("delete") => &self.delete,
            // a folder of WebDAV
            "PROPFIND" => &self.list,
            // PUT
            _ => &self.put,
        };
        kind.fetch_add(1, Ordering::Relaxed);
        self.sent.fetch_add(request.body().content_length() as u64, Ordering::Relaxed);
        std::ptr::eq(kind, &raw const self.get)
    }
}

/// Makes clients that count what they ask.
#[derive(Debug)]
pub(super) struct Counting(pub(super) Arc<Counter>);

impl HttpConnector for Counting {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
        let (answered, refused) = (AtomicBool::new(false), AtomicU32::new(0));
        Ok(HttpClient::new(Counted { client, counter: Arc::clone(&self.0), answered, refused }))
    }
}

#[derive(Debug)]
struct Counted {
    client: HttpClient,
    counter: Arc<Counter>,
    /// Whether there ever was an answer.
    answered: AtomicBool,
    /// Connections that were not to be had before.
    refused: AtomicU32,
}

/// Connections that are tried before it is taken that nobody is at an address: it may be misspelt.
const PATIENCE: u32 = 3;

impl Counted {
    /// Whether nobody has ever been there, so that trying again is no use.
    fn is_nobody(&self, error: &HttpError) -> bool {
        error.kind() == HttpErrorKind::Connect
            && !self.answered.load(Ordering::Relaxed)
            && self.refused.fetch_add(1, Ordering::Relaxed) >= PATIENCE
    }
}

#[async_trait]
impl HttpService for Counted {
    #[tracing::instrument(target = "tracelake::request", name = "request", skip_all,
        fields(method = request.method().as_str(), path = request.uri().path(), status, bytes))]
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let whole = !self.counter.note(&request);
        let response = match self.client.execute(request).await {
            Ok(response) => response,
            Err(error) if self.is_nobody(&error) => return Err(HttpError::new(HttpErrorKind::Unknown, error)),
            Err(error) => return Err(error),
        };
        self.answered.store(true, Ordering::Relaxed);
        let span = tracing::Span::current();
        span.record("status", response.status().as_u16());
        let counter = Arc::clone(&self.counter);
        if whole {
            // A request is tried again when it fails, but not when its body does: so a short one is part of the request.
            let (head, body) = response.into_parts();
            let bytes = body.bytes().await.map_err(|error| HttpError::new(HttpErrorKind::Interrupted, error))?;
            counter.received.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            span.record("bytes", bytes.len());
            return Ok(HttpResponse::from_parts(head, bytes.into()));
        }
        Ok(response.map(|body| {
            // The span ends with the body.
            let mut received = 0;
            HttpResponseBody::new(body.map_frame(move |frame| {
                let bytes = frame.data_ref().map_or(0, |data| data.len() as u64);
                counter.received.fetch_add(bytes, Ordering::Relaxed);
                received += bytes;
                span.record("bytes", received);
                frame
            }))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traffic_says_only_what_there_was() {
        let before = Traffic { list: 1, get: 2, received: 10, ..Traffic::default() };
        let after = Traffic { list: 1, get: 9, received: 300, put: 1, sent: 4, ..Traffic::default() };
        assert_eq!(after.since(&before).to_string(), "7 GET, 1 PUT, 290 bytes received, 4 bytes sent");
        assert_eq!(Traffic::default().to_string(), "no request");
        assert!(after.since(&after).is_none());
    }
}
